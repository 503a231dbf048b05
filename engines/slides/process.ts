/** Entry point of the engine's child process, which writes slides and renders files. */
import { serveEngine } from '@generation-gateway/kit/process/child.ts'
import { renderSlides } from './render.ts'
import { reviewTitle } from './review.ts'
import { writeSlides } from './write.ts'

serveEngine({ render: renderSlides, review: reviewTitle, write: writeSlides })
