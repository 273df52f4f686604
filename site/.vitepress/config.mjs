// The documents as a site. Its pages are README.md and docs/*.md as they lie in the repository: nothing is copied, and a link
// that works there works here.
import { copyFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineConfig } from 'vitepress'

const home = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../..')
const page = (text, name) => ({ text, link: `/docs/${name}` })
// Files that the pages link to, and that are no pages.
const files = ['LICENSE', 'NOTICE']

/** How GitHub names a heading, so that one anchor is right in both places. */
const slug = (heading) =>
  heading.trim().toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-')

export default defineConfig({
  title: 'Sfumato',
  description: 'A Kafka topic of personal events in; statistics that are safe to share out; a budget that cannot be overspent.',
  lang: 'en-GB',
  outDir: resolve(home, 'target/site'),
  cacheDir: resolve(home, 'target/site-cache'),
  rewrites: { 'README.md': 'index.md', 'docs/README.md': 'docs/index.md' },
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
          } else {
            // The folders' READMEs are their indices, also for links.
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
    build: { chunkSizeWarningLimit: 3000 },
  },
  themeConfig: {
    outline: 'deep',
    search: { provider: 'local' },
    nav: [
      { text: 'Documents', link: '/docs/' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
    sidebar: [
      {
        text: 'Begin',
        items: [
          { text: 'First release', link: '/' },
          page('Models', 'models'),
          page('Items', 'items'),
          page('Populations', 'populations'),
        ],
      },
      {
        text: 'Use',
        items: [
          page('The pipeline file', 'pipeline-file'),
          page("Other people's clients", 'clients'),
          page('Which method, and when', 'comparison'),
          page('Library', 'library'),
        ],
      },
      {
        text: 'Trust',
        items: [page('Privacy', 'privacy'), page('Security', 'security'), page('Reliability', 'reliability'), page('Architecture', 'architecture')],
      },
      {
        text: 'Run',
        items: [page('Operations', 'operations'), page('Questions people ask', 'faq'), page('Performance', 'performance'), page('Reproduction', 'reproduction')],
      },
      {
        text: 'Project',
        items: [
          { text: 'Changes', link: '/CHANGELOG' },
          { text: 'Contributing', link: '/CONTRIBUTING' },
          { text: 'Weaknesses', link: '/SECURITY' },
        ],
      },
    ],
  },
})
