import type { Demo } from './demo.ts'
import { f1Demo } from './f1.ts'
import { f2Demo, imagesDemo } from './images.ts'
import { chatDemo, responsesDemo } from './text.ts'

/** One demo per family; a new family adds a line. */
export const demos: readonly Demo[] = [f1Demo, f2Demo, imagesDemo, chatDemo, responsesDemo]
