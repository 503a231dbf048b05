/** The frames of one video, one after the other, into the named pipe that the encoder reads. */
import { open } from 'node:fs/promises'
import { type Canvas, createCanvas } from '@napi-rs/canvas'
import type { PictureSize } from './world/view.ts'

/** Gives the pixels of a frame, RGBA; they are read before the next frame is asked for. */
export type DrawFrame = (frame: number, canvas: Canvas) => Promise<Uint8Array> | Uint8Array

export interface FrameOrder {
  picture: PictureSize
  frames: number
  draw: DrawFrame
  /** Named pipes; what is written to the second has the mark. */
  pipe: string
  marked?: { pipe: string; mark(pixels: Uint8Array): Uint8Array }
  /** Sees every frame. */
  look?(frame: number, pixels: Uint8Array): void
  progress(fraction: number): void
}

export async function writeFrames({ picture, frames, draw, pipe, marked, look, progress }: FrameOrder): Promise<void> {
  const canvas = createCanvas(picture.width, picture.height)
  await using out = await open(pipe, 'w')
  await using second = marked ? await open(marked.pipe, 'w') : undefined
  for (let frame = 0; frame < frames; frame++) {
    const pixels = await draw(frame, canvas)
    look?.(frame, pixels)
    await writeAll(out, pixels)
    if (marked && second) await writeAll(second, marked.mark(pixels))
    progress((frame + 1) / frames)
  }
}

type File = Awaited<ReturnType<typeof open>>

async function writeAll(file: File, bytes: Uint8Array): Promise<void> {
  let at = 0
  while (at < bytes.length) at += (await file.write(bytes, at, bytes.length - at)).bytesWritten
}
