/** Voices: those that the interface names, and what is known of any voice. */

export interface VoiceFacts {
  /** As callers write it. */
  id: string
  title: string
  /** BCP 47 with its region, which is the accent: `en-GB`. */
  language: string
  sex: 'female' | 'male'
  age: 'young' | 'middle' | 'old'
  /** A few words on how it sounds. */
  manner: string
}

/** A voice that an engine or a target has. */
export interface OwnVoice extends VoiceFacts {
  /** What makes it: `Kokoro`. */
  maker: string
  /** Named voices that it speaks for. */
  speaksFor?: readonly string[]
}

/** T1 (Part C): the six voices. What they are like is ours, as near to the service's as words tell it. */
export const t1Voices: readonly VoiceFacts[] = [
  { id: 'alloy', title: 'Alloy', language: 'en-US', sex: 'female', age: 'middle', manner: 'even and neutral' },
  { id: 'echo', title: 'Echo', language: 'en-US', sex: 'male', age: 'young', manner: 'warm' },
  { id: 'fable', title: 'Fable', language: 'en-GB', sex: 'male', age: 'middle', manner: 'a story teller' },
  { id: 'onyx', title: 'Onyx', language: 'en-US', sex: 'male', age: 'middle', manner: 'deep' },
  { id: 'nova', title: 'Nova', language: 'en-US', sex: 'female', age: 'young', manner: 'bright' },
  { id: 'shimmer', title: 'Shimmer', language: 'en-US', sex: 'female', age: 'young', manner: 'clear and gentle' },
]

/** T3: the 17 voices that the service is known by (`vendors-text-audio.md` 3.3). */
export const t3Voices: readonly VoiceFacts[] = [
  { id: '21m00Tcm4TlvDq8ikWAM', title: 'Rachel', language: 'en-US', sex: 'female', age: 'young', manner: 'calm' },
  { id: '29vD33N1CtxCmqQRPOHJ', title: 'Drew', language: 'en-US', sex: 'male', age: 'middle', manner: 'well rounded' },
  { id: '2EiwWnXFnvU5JabPnv8n', title: 'Clyde', language: 'en-US', sex: 'male', age: 'old', manner: 'a veteran' },
  { id: '5Q0t7uMcjvnagumLfvZi', title: 'Paul', language: 'en-US', sex: 'male', age: 'middle', manner: 'a reporter' },
  { id: 'AZnzlk1XvdvUeBnXmlld', title: 'Domi', language: 'en-US', sex: 'female', age: 'young', manner: 'strong' },
  { id: 'CYw3kZ02Hs0563khs1Fj', title: 'Dave', language: 'en-GB', sex: 'male', age: 'young', manner: 'conversational' },
  { id: 'D38z5RcWu1voky8WS1ja', title: 'Fin', language: 'en-IE', sex: 'male', age: 'old', manner: 'a sailor' },
  { id: 'EXAVITQu4vr4xnSDxMaL', title: 'Sarah', language: 'en-US', sex: 'female', age: 'young', manner: 'soft' },
  { id: 'ErXwobaYiN019PkySvjV', title: 'Antoni', language: 'en-US', sex: 'male', age: 'young', manner: 'well rounded' },
  { id: 'MF3mGyEYCl7XYWbV9V6O', title: 'Elli', language: 'en-US', sex: 'female', age: 'young', manner: 'emotional' },
  { id: 'TxGEqnHWrfWFTfGW9XjX', title: 'Josh', language: 'en-US', sex: 'male', age: 'young', manner: 'deep' },
  { id: 'VR6AewLTigWG4xSOukaG', title: 'Arnold', language: 'en-US', sex: 'male', age: 'middle', manner: 'crisp' },
  { id: 'pNInz6obpgDQGcFmaJgB', title: 'Adam', language: 'en-US', sex: 'male', age: 'middle', manner: 'deep' },
  { id: 'yoZ06aMxZJJ28mfd3POQ', title: 'Sam', language: 'en-US', sex: 'male', age: 'young', manner: 'raspy' },
  { id: '9BWtsMINqrJLrRacOk9x', title: 'Aria', language: 'en-US', sex: 'female', age: 'middle', manner: 'expressive' },
  { id: 'CwhRBWXzGAHq8TQ4Fs17', title: 'Roger', language: 'en-US', sex: 'male', age: 'middle', manner: 'confident' },
  { id: 'cgSgspJ2msm6clMCkdW9', title: 'Jessica', language: 'en-US', sex: 'female', age: 'young', manner: 'expressive' },
]

/** Every voice that a family of the interface names. */
export const namedVoices: readonly VoiceFacts[] = [...t1Voices, ...t3Voices]
