import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import aiSdk from './ai-sdk/driver.ts'
import aippt from './aippt/driver.ts'
import ark from './ark/driver.ts'
import azureSpeech from './azure-speech/driver.ts'
import bfl from './bfl/driver.ts'
import comfyui from './comfyui/driver.ts'
import elevenlabs from './elevenlabs/driver.ts'
import gateway from './gateway/driver.ts'
import justone from './justone/driver.ts'
import kling from './kling/driver.ts'
import minimax from './minimax/driver.ts'
import mureka from './mureka/driver.ts'
import narakeet from './narakeet/driver.ts'
import openaiCompatible from './openai-compatible/driver.ts'
import vertex from './vertex/driver.ts'
import youchuan from './youchuan/driver.ts'

/** Every driver of an upstream; adding one is a folder and a line here. */
export const drivers: readonly DriverSpec[] = [
  openaiCompatible,
  gateway,
  bfl,
  comfyui,
  aiSdk,
  youchuan,
  mureka,
  ark,
  elevenlabs,
  narakeet,
  azureSpeech,
  minimax,
  aippt,
  vertex,
  kling,
  justone,
]
