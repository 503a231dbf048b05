/** Entry of the engine's child process: writes slides, and makes files of them. */
import { serveEngine } from '@generation-gateway/kit/process/child.ts'
import { renderSlides } from './render.ts'
import { writeSlides } from './write.ts'

serveEngine({ render: renderSlides, write: writeSlides })
