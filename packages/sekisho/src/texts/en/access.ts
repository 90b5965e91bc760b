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
  unknown_rules: 'the gate that ran then did not record who may read: it was older than this version',
  trail_not_found: 'there is no audit trail; name the folder with --data-dir, or set SEKISHO_DATABASE_URL',
  audit_trail_begins: (begins: string) =>
    `the audit trail begins at ${begins} and says nothing of the time before`,
  trail_lines_unreadable: (unreadable: number) =>
    `${unreadable} lines of the audit trail cannot be read: see sekisho audit verify`,
  other_gates_ran: (others: readonly string[]) =>
    `other gates ran by another policy (${others.join(', ')}): the table is of the gate that read its policy last`,
  written: (file: string) => `Written to ${file}`,
  yes: 'yes',
  no: 'no',
  kind_account: 'account',
  kind_address: 'address',
  kind_domain: 'everybody of a domain',
  kind_group: 'group of a provider',
  none: 'none',
  group_from_provider: 'told by the provider',
  signed_in_since: 'signed in since',
  refused_address_not_admitted: 'no rule names them',
  refused_address_not_vouched:
    'the provider does not vouch for the address, so no rule that names addresses counts',
  refused_email_unverified:
    'the provider said at the last attempt that the address is not verified (email_verified is not true)',
  refused_email_domain:
    'at the last attempt the address was of a domain that the provider may not vouch for (SEKISHO_OIDC_DOMAINS)',
  refused_group_missing: 'the policy names groups alone, and the provider tells of none of them',
  refused_groups_unknown:
    'the provider does not tell of all groups, so none counts, and no rule names the address',
  refused_provider_not_configured: 'the provider that vouched for the account is not configured any more',
  unknown_not_signed: 'unknown: not signed in',
  groups_too_many: 'too many to be told; none counts',
  access_help: (dataDir: string) => `Usage: sekisho access explain ADDRESS
       sekisho access review [--at TIME] [--out FILE]

explain  says whether whoever has that address may read, by which rule, which groups they belong to and which edition they
         get; groups that a provider tells of are read from the sessions of whoever is signed in
review   who could read which edition at a time, out of the audit trail, as CSV for a review of access rights (ISO 27001
         A.5.18): every account that had signed in, and whoever else the rules name; the trail keeps that it was made

With SEKISHO_DATABASE_URL set it works on that database, unless --data-dir is given.

  --at TIME       ISO 8601, as in 2026-11-01T09:00:00+09:00 (default: now)
  --out FILE      write there and not to the standard output
${dataDir}
  --help          show this text`,
}
