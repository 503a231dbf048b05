import type { OwnVoice } from '@generation-gateway/kit/requests/voices.ts'

/** Voices that the gateway can speak with. */
export interface Voices {
  /** Voices of the engines that are installed, in their order, each with the named voices that it
   *  speaks for. */
  ofEngines(): readonly OwnVoice[]
  /** Voices that the settings of targets name, of models the key may use, in the models' order. */
  ofTargets(): TargetVoice[]
}

/** A voice of a configured target. */
export interface TargetVoice {
  /** As callers write it. */
  name: string
  /** As the service calls it. */
  own: string
  /** Title of the service's driver. */
  maker: string
  /** The model whose target it is. */
  model: string
}
