export interface SoundHeader {
  mediaType: string
  durationSeconds: number
  channels?: number
}
