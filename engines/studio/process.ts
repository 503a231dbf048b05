/** Entry of the studio's child process. */
import { serveEngine } from '@generation-gateway/kit/process/child.ts'
import { editPicture, generatePicture, upscalePicture, warmUp } from './studio.ts'

serveEngine({ generate: generatePicture, edit: editPicture, upscale: upscalePicture })
void warmUp()
