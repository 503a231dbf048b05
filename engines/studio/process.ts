/** Entry of the studio's child process. */
import { serveEngine } from '@generation-gateway/kit/process/child.ts'
import { editPicture, generatePicture, warmUp } from './studio.ts'

serveEngine({ generate: generatePicture, edit: editPicture })
void warmUp()
