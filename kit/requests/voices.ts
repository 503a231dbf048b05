/** Lists the voices that the interface names, and defines the facts about a voice. */

export interface VoiceFacts {
  /** The voice id that callers use. */
  id: string
  title: string
  /** Language as BCP 47 with the region, which is the accent: `en-GB`. */
  language: string
  sex: 'female' | 'male'
  age: 'young' | 'middle' | 'old'
  /** A short description of how the voice sounds. */
  manner: string
}

/** A voice of an engine or a target, in contrast to the voices that the interface names. */
export interface OwnVoice extends VoiceFacts {
  /** The model that produces the voice: `Kokoro`. */
  maker: string
  /** Ids of the voices in the interface in whose place this voice speaks. */
  speaksFor?: readonly string[]
}

/** Voices of family T1: the six in the interface (docs/interface/sound.md#t1), then those that
 *  OpenAI has added later. The gateway's authors wrote the descriptions, based on those of
 *  OpenAI. */
export const t1Voices: readonly VoiceFacts[] = [
  { id: 'alloy', title: 'Alloy', language: 'en-US', sex: 'female', age: 'middle', manner: 'even and neutral' },
  { id: 'echo', title: 'Echo', language: 'en-US', sex: 'male', age: 'young', manner: 'warm' },
  { id: 'fable', title: 'Fable', language: 'en-GB', sex: 'male', age: 'middle', manner: 'a story teller' },
  { id: 'onyx', title: 'Onyx', language: 'en-US', sex: 'male', age: 'middle', manner: 'deep' },
  { id: 'nova', title: 'Nova', language: 'en-US', sex: 'female', age: 'young', manner: 'bright' },
  { id: 'shimmer', title: 'Shimmer', language: 'en-US', sex: 'female', age: 'young', manner: 'clear and gentle' },
  { id: 'ash', title: 'Ash', language: 'en-US', sex: 'male', age: 'young', manner: 'clear and direct' },
  { id: 'ballad', title: 'Ballad', language: 'en-GB', sex: 'male', age: 'middle', manner: 'warm' },
  { id: 'coral', title: 'Coral', language: 'en-US', sex: 'female', age: 'young', manner: 'friendly' },
  { id: 'sage', title: 'Sage', language: 'en-US', sex: 'female', age: 'middle', manner: 'calm' },
  { id: 'verse', title: 'Verse', language: 'en-US', sex: 'male', age: 'young', manner: 'expressive' },
  { id: 'marin', title: 'Marin', language: 'en-US', sex: 'female', age: 'young', manner: 'lively' },
  { id: 'cedar', title: 'Cedar', language: 'en-US', sex: 'male', age: 'middle', manner: 'deep and relaxed' },
]

/** Voices of family T3: first the 17 best known voices of the service
 *  (docs/vendors/elevenlabs.md#voices), then its other ready-made voices, which its code samples
 *  use. */
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
  { id: 'FGY2WhTYpPnrIDTdsKH5', title: 'Laura', language: 'en-US', sex: 'female', age: 'young', manner: 'upbeat' },
  { id: 'IKne3meq5aSn9XLyUdCD', title: 'Charlie', language: 'en-AU', sex: 'male', age: 'young', manner: 'conversational' },
  { id: 'JBFqnCBsd6RMkjVDRZzb', title: 'George', language: 'en-GB', sex: 'male', age: 'middle', manner: 'a story teller' },
  { id: 'N2lVS1w4EtoT3dr4eOWO', title: 'Callum', language: 'en-US', sex: 'male', age: 'middle', manner: 'husky' },
  { id: 'SAz9YHcvj6GT2YYXdXww', title: 'River', language: 'en-US', sex: 'female', age: 'middle', manner: 'calm' },
  { id: 'SOYHLrjzK2X1ezoPC6cr', title: 'Harry', language: 'en-US', sex: 'male', age: 'young', manner: 'rough' },
  { id: 'TX3LPaxmHKxFdv7VOQHJ', title: 'Liam', language: 'en-US', sex: 'male', age: 'young', manner: 'articulate' },
  { id: 'Xb7hH8MSUJpSbSDYk0k2', title: 'Alice', language: 'en-GB', sex: 'female', age: 'middle', manner: 'clear' },
  { id: 'XrExE9yKIg1WjnnlVkGX', title: 'Matilda', language: 'en-US', sex: 'female', age: 'middle', manner: 'friendly' },
  { id: 'bIHbv24MWmeRgasZH58o', title: 'Will', language: 'en-US', sex: 'male', age: 'young', manner: 'relaxed' },
  { id: 'cjVigY5qzO86Huf0OWal', title: 'Eric', language: 'en-US', sex: 'male', age: 'middle', manner: 'smooth' },
  { id: 'hpp4J3VqNfWAUOO0d1Us', title: 'Bella', language: 'en-US', sex: 'female', age: 'middle', manner: 'bright' },
  { id: 'iP95p4xoKVk53GoZ742B', title: 'Chris', language: 'en-US', sex: 'male', age: 'middle', manner: 'down to earth' },
  { id: 'nPczCjzI2devNBz1zQrb', title: 'Brian', language: 'en-US', sex: 'male', age: 'middle', manner: 'deep' },
  { id: 'onwK4e9ZLuTAKqWW03F9', title: 'Daniel', language: 'en-GB', sex: 'male', age: 'middle', manner: 'a broadcaster' },
  { id: 'pFZP5JQG7iQjIQuC4Bku', title: 'Lily', language: 'en-GB', sex: 'female', age: 'middle', manner: 'velvety' },
  { id: 'pqHfZKP75CvOlQylNhV4', title: 'Bill', language: 'en-US', sex: 'male', age: 'old', manner: 'wise' },
  { id: 'XB0fDUnXU5powFXDhCwa', title: 'Charlotte', language: 'en-GB', sex: 'female', age: 'young', manner: 'relaxed' },
  { id: 'GBv7mTt0atIp3Br8iCZE', title: 'Thomas', language: 'en-US', sex: 'male', age: 'young', manner: 'calm' },
  { id: 'LcfcDJNUP1GQjkzn1xUU', title: 'Emily', language: 'en-US', sex: 'female', age: 'young', manner: 'calm' },
  { id: 'ODq5zmih8GrVes37Dizd', title: 'Patrick', language: 'en-US', sex: 'male', age: 'middle', manner: 'loud' },
  { id: 'ThT5KcBeYPX3keUQqHPh', title: 'Dorothy', language: 'en-GB', sex: 'female', age: 'young', manner: 'pleasant' },
  { id: 'Yko7PKHZNXotIFUBG7I9', title: 'Matthew', language: 'en-GB', sex: 'male', age: 'middle', manner: 'calm' },
  { id: 'ZQe5CZNOzWyzPSCn5a3c', title: 'James', language: 'en-AU', sex: 'male', age: 'old', manner: 'calm' },
  { id: 'Zlb1dXrM653N07WRdFW3', title: 'Joseph', language: 'en-GB', sex: 'male', age: 'middle', manner: 'a reporter' },
  { id: 'bVMeCyTHy58xNoL34h3p', title: 'Jeremy', language: 'en-IE', sex: 'male', age: 'young', manner: 'excited' },
  { id: 'flq6f7yk4E4fJM5XTYuZ', title: 'Michael', language: 'en-US', sex: 'male', age: 'old', manner: 'a reader of books' },
  { id: 'g5CIjZEefAph4nQFvHAz', title: 'Ethan', language: 'en-US', sex: 'male', age: 'young', manner: 'close to a whisper' },
  { id: 'jBpfuIE2acCO8z3wKNLl', title: 'Gigi', language: 'en-US', sex: 'female', age: 'young', manner: 'childlike' },
  { id: 'jsCqWAovK2LkecY7zXl4', title: 'Freya', language: 'en-US', sex: 'female', age: 'young', manner: 'strong' },
  { id: 'oWAxZDx7w5VEj9dCyTzz', title: 'Grace', language: 'en-US', sex: 'female', age: 'young', manner: 'of the South' },
  { id: 'pMsXgVXv3BLzUgSXRplE', title: 'Serena', language: 'en-US', sex: 'female', age: 'middle', manner: 'pleasant' },
  { id: 'piTKgcLEGmPE4e6mEKli', title: 'Nicole', language: 'en-US', sex: 'female', age: 'young', manner: 'close to a whisper' },
  { id: 't0jbNlBVZ17f02VDIeMI', title: 'Jessie', language: 'en-US', sex: 'male', age: 'old', manner: 'raspy' },
  { id: 'wViXBPUzp2ZZixB1xQuM', title: 'Ryan', language: 'en-US', sex: 'male', age: 'middle', manner: 'a soldier' },
  { id: 'z9fAnlkpzviPz146aGWa', title: 'Glinda', language: 'en-US', sex: 'female', age: 'middle', manner: 'a witch' },
  { id: 'zcAOhNBS3c14rBihAFp1', title: 'Giovanni', language: 'en-US', sex: 'male', age: 'young', manner: 'a foreigner' },
  { id: 'zrHiDhphv9ZnVXBqCLjz', title: 'Mimi', language: 'en-AU', sex: 'female', age: 'young', manner: 'childlike' },
]

/** Every voice that a family of the interface names. */
export const namedVoices: readonly VoiceFacts[] = [...t1Voices, ...t3Voices]
