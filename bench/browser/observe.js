// Runs in the page before anything else; `HYDRATED` is replaced by the expression of the site being measured.
;(() => {
  const bench = { firstPaintMs: 0, largestPaintMs: 0, blockingMs: 0, hydratedMs: 0 }
  window.__bench = bench
  const watch = (type, run) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) run(entry)
    }).observe({ type, buffered: true })
  watch('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') bench.firstPaintMs = entry.startTime
  })
  watch('largest-contentful-paint', (entry) => {
    bench.largestPaintMs = entry.startTime
  })
  watch('longtask', (entry) => {
    bench.blockingMs += Math.max(0, entry.duration - 50)
  })
  const look = () => {
    if (document.body !== null && HYDRATED) bench.hydratedMs = performance.now()
    else setTimeout(look, 4)
  }
  look()
})()
