// The documents as a site. Its pages are README.md and those in docs/ as they lie in the repository: nothing is copied, and a
// link that works there works here.
import { copyFileSync, readFileSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineConfig } from 'vitepress'

const home = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..')
/** A page of the sidebar, under its own heading. */
const page = (name) => ({
  text: /^# (.+)$/m.exec(readFileSync(resolve(home, 'docs', `${name}.md`), 'utf8'))[1].replaceAll('`', ''),
  link: `/docs/${name}`,
})

/** All pages of a folder: those named, in this order, and then the others. */
const folder = (name, ...first) => {
  const all = readdirSync(resolve(home, 'docs', name))
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .map((file) => file.slice(0, -3))
  const others = all.filter((file) => !first.includes(file)).sort()
  return [...first, ...others].map((file) => page(`${name}/${file}`))
}

// Files that the pages link to, and that are no pages.
const files = ['LICENSE', 'NOTICE']

// The Javadoc, which site/build writes beside the pages. A link of a page to a source of core or estimate leads to its Javadoc.
const api = [
  { text: 'API (core)', link: '/api/index.html', target: '_self' },
  { text: 'API (estimate)', link: '/api/io/sfumato/estimate/package-summary.html', target: '_self' },
]
const documented = /^((?:\.\.\/)*)src\/(?:core|estimate)\/src\/main\/(?:java\/(.+)\.java|javadoc\/overview\.html)$/
const javadoc = (source) =>
  source.replace(documented, (_, up, type) => {
    const file = type ? type.replace(/package-info$/, 'package-summary') : 'index'
    return `${up}api/${file}.html`
  })

/** How GitHub names a heading, so that one anchor is right in both places. */
const slug = (heading) =>
  heading.trim().toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-')

export default defineConfig({
  title: 'Sfumato',
  description: 'A Kafka topic of personal events in; statistics that are safe to share out; a budget that cannot be overspent.',
  lang: 'en-GB',
  outDir: resolve(home, 'target/site'),
  cacheDir: resolve(home, 'target/site-cache'),
  rewrites: { 'README.md': 'index.md', 'docs/README.md': 'docs/index.md', 'docs/guides/README.md': 'docs/guides/index.md' },
  markdown: {
    anchor: { slugify: slug },
    config(md) {
      const fence = md.renderer.rules.fence
      md.renderer.rules.fence = (tokens, at, ...rest) =>
        tokens[at].info.trim() === 'mermaid'
          ? `<Diagram source="${encodeURIComponent(tokens[at].content)}"/>\n`
          : fence(tokens, at, ...rest)
      md.core.ruler.push('links', (state) => {
        for (const token of state.tokens.flatMap((block) => block.children ?? [])) {
          if (token.type !== 'link_open') continue
          const href = token.attrGet('href')
          if (files.includes(href)) {
            token.attrSet('href', `/${href}.txt`)
            token.attrSet('target', '_self')
          } else if (documented.test(href)) {
            token.attrSet('href', javadoc(href))
            token.attrSet('target', '_self')
          } else {
            // The folders' READMEs are their indexes, also for links.
            token.attrSet('href', href.replace(/^(?!\w+:)(.*?)README\.md(?=#|$)/, '$1index.md'))
          }
        }
      })
    },
  },
  buildEnd(site) {
    files.forEach((file) => copyFileSync(resolve(home, file), resolve(site.outDir, `${file}.txt`)))
  },
  vite: {
    // Pages are links to where they lie, and stand beside node_modules only by their own names.
    resolve: { preserveSymlinks: true },
    // Mermaid is large, and loaded only where a diagram is.
    build: { chunkSizeWarningLimit: 3000, assetsInlineLimit: 0 }, // pictures stay files
  },
  themeConfig: {
    outline: 'deep',
    search: { provider: 'local' },
    nav: [
      { text: 'Documents', link: '/docs/' },
      { text: 'API', items: api },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
    sidebar: [
      {
        text: 'Start',
        items: [{ text: 'Sfumato', link: '/' }, ...folder('start', 'what-it-is', 'tutorial'), page('faq')],
      },
      {
        text: 'Concepts',
        items: folder('concepts', 'privacy-unit', 'subjects-and-users', 'windows', 'budget', 'contribution-bounds', 'intervals'),
      },
      {
        text: 'Guides',
        items: [
          { text: 'Which guide?', link: '/docs/guides/' },
          ...folder(
            'guides',
            ...['active-users', 'revenue-by-region', 'percentiles', 'top-products', 'unknown-groups', 'funnels', 'moving-sums', 'several-questions'],
            ...['categories', 'models', 'model-queries', 'synthetic-items'],
            ...['your-data', 'existing-topics', 'read-outputs', 'analyse', 'sinks', 'privacy-report', 'change-a-pipeline', 'catch-up', 'forget-a-person'],
          ),
        ],
      },
      {
        text: 'Reference',
        items: [
          ...folder('reference', 'pipeline-file', 'records', 'commands', 'outputs', 'metrics', 'codes'),
          page('library'),
          ...api,
          page('glossary'),
        ],
      },
      { text: 'Operate', items: folder('operate', 'deploy', 'kubernetes', 'secure', 'monitor', 'runbook', 'backup', 'upgrade', 'sizing') },
      {
        text: 'Theory',
        items: folder(
          'theory',
          ...['guarantee', 'dirichlet', 'additive-noise', 'bounded-users', 'running-sums', 'moments-and-quantiles', 'tables'],
          ...['partition-selection', 'feature-sums', 'abc', 'mollified-samples', 'composition', 'periods-and-accounts', 'versions', 'questions', 'audit'],
        ),
      },
      { text: 'Research', items: folder('research', 'comparison', 'attacks', 'reproduction', 'foreign') },
      {
        text: 'Contribute',
        items: [
          page('architecture'),
          page('trusted'),
          { text: 'Contributing', link: '/CONTRIBUTING' },
          { text: 'Weaknesses', link: '/SECURITY' },
          { text: 'Changes', link: '/CHANGELOG' },
        ],
      },
    ],
  },
})
