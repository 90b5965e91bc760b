export const access = {
  at: 'at',
  kind: 'kind',
  who: 'who',
  issuer: 'issuer',
  subject: 'subject',
  may_read: 'may read',
  rule: 'rule',
  groups: 'groups',
  edition: 'edition',
  first_sign_in: 'first sign-in',
  last_sign_in: 'last sign-in',
  last_read: 'last read',
  at_problem: '--at takes a time such as 2026-11-01T09:00:00+09:00',
  unknown_rules: 'the gate of that time did not record the access policy: it was an older version',
  trail_not_found: 'there is no audit trail; name the folder with --data-dir, or set SEKISHO_DATABASE_URL',
  audit_trail_begins: (begins: string) =>
    `the audit trail begins at ${begins} and has nothing about the time before`,
  trail_lines_unreadable: (unreadable: number) =>
    `${unreadable} lines of the audit trail cannot be read: see sekisho audit verify`,
  other_gates_ran: (others: readonly string[]) =>
    `other gates ran with another policy (${others.join(', ')}): the table shows the gate that read its policy last`,
  written: (file: string) => `Written to ${file}`,
  yes: 'yes',
  no: 'no',
  kind_account: 'account',
  kind_address: 'address',
  kind_domain: 'all addresses of a domain',
  kind_group: 'group of a provider',
  none: 'none',
  group_from_provider: 'from the provider',
  signed_in_since: 'signed in since',
  refused_address_not_admitted: 'no rule matches the address',
  refused_address_not_vouched:
    'the provider does not verify the address, so rules for addresses do not apply',
  refused_email_unverified:
    'the provider said at the last attempt that the address is not verified (email_verified is not true)',
  refused_email_domain:
    'at the last attempt the address belonged to a domain that this provider is not trusted for (SEKISHO_OIDC_DOMAINS)',
  refused_group_missing: 'the policy names only groups, and the provider reports none of them',
  refused_groups_unknown:
    'the provider does not send all groups, so none are used, and no rule matches the address',
  refused_provider_not_configured: 'the provider of the account is no longer configured',
  unknown_not_signed: 'unknown: not signed in',
  groups_too_many: 'too many to be sent; none are used',
  access_help: (dataDir: string) => `Usage: sekisho access explain ADDRESS
       sekisho access review [--at TIME] [--out FILE]

explain  shows if the holder of an address may read, by which rule, their groups, and the edition they receive; groups from
         a provider are taken from current sessions
review   who could read which edition at a time, out of the audit trail, as CSV for a review of access rights (ISO 27001
         A.5.18): every account that had signed in, and every address that the rules name; the audit trail records the review

With SEKISHO_DATABASE_URL set it works on that database, unless --data-dir is given.

  --at TIME       ISO 8601, as in 2026-11-01T09:00:00+09:00 (default: now)
  --out FILE      write to this file (default: standard output)
${dataDir}
  --help          show this text`,
}
