import { PATHS } from '../paths.ts'

/** The invisible frame that hands a finished sign-in to the page that asked for it. */
export const FRAME_PAGE = `<!doctype html>
<html lang="ja">
<meta charset="utf-8">
<title>ローカル認証の中継</title>
<script src="${PATHS.frameScript}"></script>
</html>
`

export function framePolicy(origin: string): string {
  return `default-src 'none'; script-src ${origin}${PATHS.frameScript}; base-uri 'none'; frame-ancestors 'self'`
}
