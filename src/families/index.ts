import type { FamilyEntry } from '../contract/family.ts'
import { f1Entry } from './f1/handlers.ts'

/** Every family the gateway serves; adding one is a folder and a line here. */
export const families: readonly FamilyEntry[] = [f1Entry]
