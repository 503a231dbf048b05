import type { Capability } from '@generation-gateway/kit/requests/capabilities.ts'

export interface FamilyModel {
  id: string
  title: string
  capability: Capability
  /** Built-in engine that serves it; absent: every engine with the capability. */
  engine?: string
  /** The engine's own name of the model; absent: the id. */
  engineModel?: string
  /** Parameter set or model group this model belongs to, when the family has several. */
  group?: string
  /** Of ranked models that can be used the one with the highest rank is the default; without any it is the first of the list. */
  rank?: number
  /** Facts for the docs. */
  notes?: string
}
