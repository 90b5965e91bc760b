type Explanation = readonly [title: string, advice: string]

/** Texts of problems that any request may meet; the other languages have the same codes and values. */
export const en = {
  problemPage: {
    problems: {
      bad_request: ['This address cannot be opened', 'Please check it.'] as Explanation,
      bad_origin: [
        'This was not sent from a page of this site',
        'Please open the page again.',
      ] as Explanation,
      cross_site: ['Other sites cannot show this page', 'Please open it directly.'] as Explanation,
      not_found: ['There is no such page', 'Please check the address.'] as Explanation,
      method_not_allowed: ['This cannot be done here', 'Please open the page again.'] as Explanation,
      too_large: ['What was sent is too large', 'Please send less.'] as Explanation,
      too_many_requests: ['Too many requests', 'Please wait a moment and try again.'] as Explanation,
      identity_unavailable: [
        'The identity service does not answer',
        'Please wait a moment and try again.',
      ] as Explanation,
      unavailable: ['This is not available now', 'Please wait a moment and try again.'] as Explanation,
    },
    fault: [
      'Something went wrong on the server',
      'If it happens again, tell an administrator the number below.',
    ] as Explanation,
    again: 'Try again',
    home: 'Home',
  },
  /** Errors of addresses in an operator's settings. */
  addresses: {
    bad_address: (entry: string) => `not an IP address or CIDR block: ${entry}`,
    host_bits: (entry: string) =>
      `${entry} has bits behind its prefix: name the network, or the address without a prefix`,
    unspecified_address: (entry: string) => `${entry} is no usable address: name those of your proxies`,
    mapped_address: (entry: string) =>
      `${entry} never matches: peers of IPv4 are known by their IPv4 addresses, so write it without ::ffff:`,
    bad_place: (entry: string) => `not a name and a network, as in 本社=192.0.2.0/24: ${entry}`,
  },
}
