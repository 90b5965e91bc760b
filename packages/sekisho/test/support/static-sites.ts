/** A folder of HTML as a generator leaves one, cut down to what tells it from the others. */
interface StaticSite {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly title: string
  readonly lang: string
  readonly pages: readonly { readonly path: string; readonly file: string; readonly title: string }[]
  /** Inline scripts of the first page. */
  readonly inlineScripts: number
  /** `found` is the result for `q`; `hidden` stands around every text and is no result. */
  readonly search: { readonly q: string; readonly found: string; readonly hidden: string }
}

const vitePress = (title: string, text: string) =>
  `<!DOCTYPE html><html lang="ja" dir="ltr"><head><meta charset="utf-8"><title>${title}</title><link rel="preload stylesheet" href="/assets/style.DFTx90Kk.css" as="style"><script type="module" src="/assets/app.Byl4OWfj.js"></script><script src="/__gate/bar.js" defer></script><script id="check-dark-mode">(()=>{document.documentElement.classList.add("dark")})();</script></head><body><div id="app"><header class="VPNav"><a href="/">周辺の案内</a></header><div class="VPContent" id="VPContent"><main class="main"><div class="vp-doc">${text}</div></main></div></div><script>window.__VP_HASH_MAP__=JSON.parse("{}")</script></body></html>`

const typeDoc = (title: string, text: string) =>
  `<!DOCTYPE html><html class="default" lang="en" data-base="./"><head><meta charset="utf-8"/><title>${title}</title><link rel="stylesheet" href="assets/style.css"/><script defer src="assets/main.js"></script></head><body><script>document.body.style.display="none"</script><header class="tsd-page-toolbar"><a class="title">surroundings</a></header><div class="container container-main"><div class="col-content">${text}</div><div class="col-sidebar"><p>surroundings</p></div></div></body></html>`

const plain = (title: string, text: string) =>
  `<html><title>${title}</title><body><header><a href="index.html">周辺の案内</a></header>${text}<footer>周辺の案内</footer></body></html>`

/** Made by hand after what VitePress 1.6, TypeDoc and an editor leave. */
export const STATIC_SITES: readonly StaticSite[] = [
  {
    name: 'VitePress',
    files: {
      'index.html': vitePress('関所 | 関所の手引き', '<h1 id="関所">関所</h1><p>門の内</p>'),
      'guide/setup.html': vitePress(
        '環境構築 | 関所の手引き',
        '<h1 id="環境構築">環境構築</h1><h2 id="手形" tabindex="-1">手形 <a class="header-anchor" href="#手形" aria-label="Permalink">​</a></h2><p>通行の手形を見せる。</p>',
      ),
      '404.html': vitePress('404 | 関所の手引き', '見つかりません'),
      'assets/style.DFTx90Kk.css': 'body{margin:0}',
      'assets/app.Byl4OWfj.js': 'void 0',
    },
    title: '関所の手引き',
    lang: 'ja',
    pages: [
      { path: '/guide/setup.html', file: 'guide/setup.html', title: '環境構築' },
      { path: '/', file: 'index.html', title: '関所' },
    ],
    inlineScripts: 2,
    search: { q: '手形', found: '/guide/setup.html#手形', hidden: '周辺の案内' },
  },
  {
    name: 'TypeDoc',
    files: {
      'index.html': typeDoc('gate', '<h1>gate</h1><p>Functions of the barrier.</p>'),
      'classes/Queue.html': typeDoc(
        'Queue | gate',
        '<h1>Class Queue</h1><section><h2 id="push">push</h2><p>Adds a traveller.</p></section>',
      ),
      'functions/openGate.html': typeDoc('openGate | gate', '<h1>Function openGate</h1><p>Opens.</p>'),
      'assets/main.js': 'void 0',
      'assets/style.css': 'body{margin:0}',
    },
    title: 'gate',
    lang: 'en',
    pages: [
      { path: '/classes/Queue.html', file: 'classes/Queue.html', title: 'Queue' },
      { path: '/functions/openGate.html', file: 'functions/openGate.html', title: 'openGate' },
      { path: '/', file: 'index.html', title: 'gate' },
    ],
    inlineScripts: 1,
    search: { q: 'traveller', found: '/classes/Queue.html#push', hidden: 'surroundings' },
  },
  {
    name: 'a folder written by hand',
    files: {
      'index.html': plain('台帳', '<h1>台帳</h1><p>通行人の名前。</p>'),
      '規約/index.html': plain('規約', '<h1>規約</h1><p>鉄砲は通さない。</p>'),
    },
    title: 'Sekisho',
    lang: 'ja',
    pages: [
      { path: '/', file: 'index.html', title: '台帳' },
      { path: '/規約/', file: '規約/index.html', title: '規約' },
    ],
    inlineScripts: 0,
    search: { q: '鉄砲', found: '/%E8%A6%8F%E7%B4%84/', hidden: '周辺の案内' },
  },
]
