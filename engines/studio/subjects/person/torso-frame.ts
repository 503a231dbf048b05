import type { Path2D } from '@napi-rs/canvas'
import type { Outfit } from './clothes.ts'
import type { Build, Stance } from './poses.ts'

export interface TorsoFrame {
  build: Build
  stance: Stance
  outfit: Outfit
  shape: Path2D
}
