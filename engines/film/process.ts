/** Entry point of the film engine's child process. */
import { serveEngine } from '@generation-gateway/kit/process/child.ts'
import { openedClassifier } from '@generation-gateway/studio/safety/refuse.ts'
import { studioArt } from '@generation-gateway/studio/subjects/drawable.ts'
import { makeFilm } from './film.ts'

serveEngine({ film: makeFilm })
// Every film needs the library of drawings, so it is loaded when the process starts. The classifier
// is loaded again for a film when that fails.
studioArt()
openedClassifier().catch(() => undefined)
