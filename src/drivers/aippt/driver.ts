import { serviceDriver } from '../upstream/service-driver.ts'
import { renderings } from './render.ts'
import { Sessions } from './session.ts'
import { settings } from './settings.ts'
import { templatesOf } from './templates.ts'
import { writings } from './write.ts'

/** Presentations of AiPPT's platform for enterprises (vendors-text-audio 3.12). It makes files only of what it has written itself. No call that cancels is known. */
export default serviceDriver({
  id: 'aippt',
  title: 'AiPPT',
  settings,
  open: tools => {
    const sessions = new Sessions(tools)
    return {
      offers: { 'slides.write': writings(tools, sessions), 'slides.render': renderings(tools, sessions) },
      templates: asked => templatesOf(sessions, asked),
    }
  },
})
