/** Entry of the film engine's child process. */
import { serveEngine } from '@generation-gateway/kit/process/child.ts'
import { openedClassifier } from '@generation-gateway/studio/safety/refuse.ts'
import { studioArt } from '@generation-gateway/studio/subjects/drawable.ts'
import { makeFilm } from './film.ts'

serveEngine({ film: makeFilm })
// What every film needs, so that the first one does not wait for it.
studioArt()
void openedClassifier()
