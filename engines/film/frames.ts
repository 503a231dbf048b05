/** Writes the frames of one video, one after the other, into the named pipe that the encoder
 *  reads. */
import { open } from 'node:fs/promises'

/** Returns the planes of a frame, I420; they are consumed before the next call. */
export type DrawFrame = (frame: number) => Promise<Uint8Array> | Uint8Array

interface FrameOrder {
  frames: number
  draw: DrawFrame
  /** Named pipes; frames written to the second one have the mark. */
  pipe: string
  marked?: { pipe: string; mark(planes: Uint8Array): Uint8Array }
  /** Receives every frame. */
  look?(frame: number, planes: Uint8Array): void
  progress(fraction: number): void
  /** Awaited between two frames. */
  giveWay(): Promise<void>
}

export async function writeFrames({ frames, draw, pipe, marked, look, progress, giveWay }: FrameOrder): Promise<void> {
  await using out = await open(pipe, 'w')
  await using second = marked ? await open(marked.pipe, 'w') : undefined
  for (let frame = 0; frame < frames; frame++) {
    if (frame > 0) await giveWay()
    const planes = await draw(frame)
    look?.(frame, planes)
    await writeAll(out, planes)
    if (marked && second) await writeAll(second, marked.mark(planes))
    progress((frame + 1) / frames)
  }
}

type File = Awaited<ReturnType<typeof open>>

async function writeAll(file: File, bytes: Uint8Array): Promise<void> {
  let at = 0
  while (at < bytes.length) at += (await file.write(bytes, at, bytes.length - at)).bytesWritten
}
