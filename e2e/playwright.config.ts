import { defineConfig } from '@playwright/test'
import { findBrowser } from './support/browser.ts'

const browser = await findBrowser()
/** Sites that are built, and sessions that run out, begin first, so that nothing waits for them at the end. */
const SLOWEST = ['sites/sites.spec.ts', 'sign-in/session-end.spec.ts']

export default defineConfig({
  testDir: '.',
  projects: [
    { name: 'slowest', testMatch: SLOWEST.map((file) => `**/${file}`) },
    { name: 'all others', testMatch: '**/*.spec.ts', testIgnore: SLOWEST.map((file) => `**/${file}`) },
  ],
  outputDir: '../test-results',
  fullyParallel: false,
  // Nearly half of a worker's time is waiting: for a session to end, a tab to look again, a page to come to rest.
  workers: 4,
  forbidOnly: process.env.CI !== undefined,
  // A machine of a CI may stall for seconds; the report still names a test that needed its second try.
  retries: process.env.CI === undefined ? 0 : 1,
  // Limits for what never comes, not for what is slow: a busy machine may take long over anything.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  use: {
    locale: 'ja-JP',
    timezoneId: 'Asia/Tokyo',
    // To record every test costs more than a third of the time of all: the second try of one that failed is recorded, or `--trace on`.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: browser.executablePath, args: browser.args },
  },
})
