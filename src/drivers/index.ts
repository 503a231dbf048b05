import type { DriverSpec } from '@generation-gateway/kit/driver.ts'
import aiSdk from './vendors/ai-sdk/driver.ts'
import aippt from './vendors/aippt/driver.ts'
import anthropic from './vendors/anthropic/driver.ts'
import ark from './vendors/ark/driver.ts'
import azureSpeech from './vendors/azure-speech/driver.ts'
import bfl from './vendors/bfl/driver.ts'
import comfyui from './vendors/comfyui/driver.ts'
import elevenlabs from './vendors/elevenlabs/driver.ts'
import gateway from './vendors/gateway/driver.ts'
import gemini from './vendors/gemini/driver.ts'
import justone from './vendors/justone/driver.ts'
import kling from './vendors/kling/driver.ts'
import minimax from './vendors/minimax/driver.ts'
import mureka from './vendors/mureka/driver.ts'
import narakeet from './vendors/narakeet/driver.ts'
import openaiCompatible from './vendors/openai-compatible/driver.ts'
import vertex from './vendors/vertex/driver.ts'
import youchuan from './vendors/youchuan/driver.ts'

/** All drivers of upstreams. To add a driver, create its folder and add it to this list. */
export const drivers: readonly DriverSpec[] = [
  openaiCompatible,
  anthropic,
  gateway,
  gemini,
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
