import { defineConfig } from '@playwright/test'
import { findBrowser } from './support/browser.ts'

const browser = await findBrowser()

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  fullyParallel: false,
  workers: 2,
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
