/** Texts of the consent page; the other languages have the same codes. */
export const en = {
  consentPage: {
    title: 'Let an agent read?',
    asks: 'Who asks',
    named: '(as it calls itself)',
    nameless: 'a program without a name',
    self: 'the name is its own and unverified',
    operator: 'registered by this site’s administrator',
    from: 'Identified by',
    returns: 'Answer goes to',
    local: 'a program on this computer',
    account: 'Reads as',
    edition: 'edition',
    may: 'What it may do',
    mayRead:
      'Search and read the pages that you may read. You are asked again after 30 days, or when it was not used for 14 days.',
    mayNot: 'It cannot change anything, nor see anything of other people.',
    trace: 'What it reads and when is recorded under your name.',
    warning:
      'If you did not just try to connect an agent yourself, do not allow this; nor if a link in a chat or mail brought you here.',
    allow: 'Allow',
    deny: 'Do not allow',
    ends: 'You can take it back on your account page at any time.',
    goingTitle: 'Going back to the agent',
    going:
      'If nothing happens by itself, choose “Continue”. Once another app has opened, you can close this tab.',
    go: 'Continue',
    refusedTitle: 'The agent cannot be connected',
    client:
      'This site does not know the program that asks, or does not allow it. A registration that was not used for 90 days is forgotten. In the program, remove this connection with its saved sign-in, then connect again: it registers anew. For mcp-remote, delete the folder .mcp-auth in your home folder. If that does not help, ask your administrator.',
    redirect: 'The answer would go somewhere else than this program registered. It was stopped for safety.',
    request:
      'What the agent asked for is incomplete or not offered here, so no answer was sent to it. Connect again from the agent; if that does not help, update it, or ask your administrator.',
    expired: 'This page is too old. Please connect again from the agent.',
    many: 'Fifty agents of yours are in use. End one on your account page, then connect again from the agent.',
    home: 'Home',
  },
}
