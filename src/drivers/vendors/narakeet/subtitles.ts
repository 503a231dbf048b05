/** Returns the subtitle cues as the text of a SubRip file. */
export function subtitlesOf(cues: readonly { startMs: number; endMs: number; text: string }[]): string {
  return cues
    .map(
      ({ startMs, endMs, text }, index) =>
        `${index + 1}\n${timeText(startMs)} --> ${timeText(endMs)}\n${text.replaceAll(/\n{2,}/g, '\n')}\n`,
    )
    .join('\n')
}

function timeText(ms: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)},${String(Math.floor(ms % 1000)).padStart(3, '0')}`
}
