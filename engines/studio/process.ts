/** Entry point of the studio's child process. */
import { serveEngine } from '@generation-gateway/kit/process/child.ts'
import { openedClassifier } from './safety/refuse.ts'
import { editPicture, generatePicture, upscalePicture } from './studio.ts'
import { studioArt } from './subjects/drawable.ts'

serveEngine({ generate: generatePicture, edit: editPicture, upscale: upscalePicture })
// Every job needs the catalogue of drawings, so it is loaded when the process starts rather than
// during the first job. If loading the classifier fails here, the first job that needs it loads it
// again.
studioArt()
openedClassifier().catch(() => undefined)
