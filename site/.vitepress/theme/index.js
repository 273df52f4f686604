import { withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import Diagram from './Diagram.vue'
import './wide.css'

export default {
  extends: DefaultTheme,
  enhanceApp({ app, router }) {
    app.component('Diagram', Diagram)
    // The Javadoc is no page of the application, so the browser loads it, also from the links to the next and the last page.
    router.onBeforeRouteChange = (to) => {
      if (!to.startsWith(withBase('/api/'))) return true
      location.assign(to)
      return false
    }
  },
}
