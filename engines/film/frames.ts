/** Writes the frames of one video, one after the other, into a named pipe. The encoder reads the
 *  frames from the pipe. */
import { open } from 'node:fs/promises'

/** Returns the I420 planes of a frame. The caller writes them out before it requests the next
 *  frame, so the same memory may be used again. */
export type DrawFrame = (frame: number) => Promise<Uint8Array> | Uint8Array

interface FrameOrder {
  frames: number
  draw: DrawFrame
  /** Named pipes: `pipe` for the plain frames, `marked.pipe` for frames with the "generated"
   *  mark. */
  pipe: string
  marked?: { pipe: string; mark(planes: Uint8Array): Uint8Array }
  /** Called with every frame before it is written. */
  look?(frame: number, planes: Uint8Array): void
  progress(fraction: number): void
  /** Called and awaited between two frames, so that other work of the process can run. */
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
