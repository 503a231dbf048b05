/** Entry point of the studio's child process. */
import { serveEngine } from '@generation-gateway/kit/process/child.ts'
import { openedClassifier } from './safety/refuse.ts'
import { editPicture, generatePicture, upscalePicture } from './studio.ts'
import { studioArt } from './subjects/drawable.ts'

serveEngine({ generate: generatePicture, edit: editPicture, upscale: upscalePicture })
// Every picture needs the catalogue of drawings, so it is loaded at the start of the process.
studioArt()
void openedClassifier()
