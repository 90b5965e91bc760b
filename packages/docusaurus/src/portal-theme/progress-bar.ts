import progress from 'nprogress'

// Its own bar has the role "bar", which there is not; it finds the bar by that role unless told otherwise.
if (typeof window !== 'undefined')
  progress.configure({ template: '<div class="bar"></div>', barSelector: '.bar' })
