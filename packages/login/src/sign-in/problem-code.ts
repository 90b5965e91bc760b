/** Reads the stable `code` of a problem document (RFC 9457 extension member); empty without one. */
export async function readProblemCode(response: Response): Promise<string> {
  try {
    const problem: unknown = await response.json()
    const code = typeof problem === 'object' && problem !== null && 'code' in problem ? problem.code : ''
    return typeof code === 'string' ? code : ''
  } catch {
    return ''
  }
}
