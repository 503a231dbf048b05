/** Longest silence in seconds that is added before a sound that begins late. ffmpeg keeps it in
 *  memory: 140 MB for six channels at 96 kHz. */
const mostSeconds = 60

/** ffmpeg filter that adds silence before a sound that begins later than the picture, as in a
 *  recording of a screen whose microphone was switched on later; without it, everything would be
 *  heard too early. The timestamps after the first one are replaced by the number of samples, so
 *  that the filter removes no sound where timestamps are wrong. */
export const silenceBeforeLateSound = `asetpts=clip(STARTPTS\\,0\\,${mostSeconds}/TB)+N/(SR*TB),aresample=first_pts=0`
