export const demo = {
  demo_help: `Usage: sekisho demo

Serves a portal of four pages on this machine, out of a temporary folder that is removed when it stops. PORT names another port
than 3000; --lang ja makes it Japanese.

  --help          show this text`,
  making: (folder: string) => `Making a small portal in ${folder}; it is removed when you stop`,
}

/** Pages of the portal that `sekisho demo` serves; bodies are HTML. */
export const demoPages = {
  site_title: 'Sekisho demo',
  index_title: 'One minute with Sekisho',
  index_body: `<p>You signed in, so you read this. Without a session nothing of this site leaves the server: no page, file name or search index.</p>
<ol><li>Open this address in a private window: the login page answers, at this very URL.</li>
<li>Press Ctrl+K (⌘K) and search for <em>expense report</em>.</li>
<li>Open the account button: your session, and how to end it.</li>
<li>In another terminal, in your own site: <code>sekisho init</code> and <code>sekisho start</code>; for a folder of HTML: <code>sekisho pack DIR</code>.</li></ol>`,
  expenses_title: 'Expenses',
  expenses_body: `<p>Hand in an expense report by the fifth working day of the next month. Receipts may be photographs.</p><h2>Travel</h2><p>Trains are booked by yourself; flights need approval before booking.</p>`,
  onboarding_title: 'First week',
  onboarding_body: `<p>Your laptop is set up on the first day. Ask your team for access to its repositories.</p><h2>Development environment</h2><p>Clone the repository, install Node, and run the tests once.</p>`,
  incidents_title: 'Incidents',
  incidents_body: `<p>Declare an incident in the chat channel, name one person who leads, and write down times as you go.</p><h2>Afterwards</h2><p>The review within a week looks for causes, not for culprits.</p>`,
}
