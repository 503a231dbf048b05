/** All templates, in the order of their numbers. */
import { aurora } from './aurora.ts'
import { broadsheet } from './broadsheet.ts'
import { harbour } from './harbour.ts'
import type { Theme } from './theme.ts'

export const themes: readonly Theme[] = [harbour, broadsheet, aurora]
