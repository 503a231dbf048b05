import { serviceDriver } from '../upstream/service-driver.ts'
import { pictureRuns } from './runs.ts'
import { groupOf, settings, unknownModel } from './settings.ts'

/** Seedream and SeedEdit, natively: groups of pictures, each told as soon as it is drawn, reference pictures, watermarks, web search. A caller who leaves ends the drawing. */
export default serviceDriver({
  id: 'ark',
  title: 'Volcengine Ark images',
  settings,
  open: tools => ({
    offers: { 'image.generate': pictureRuns(tools), 'image.edit': pictureRuns(tools) },
    unusable: (given, model) => (groupOf(given, model) === undefined ? unknownModel(model) : undefined),
  }),
})
