/** Limits of families T1 to T3 and R1 to R5 (docs/interface/sound.md), written by hand from the
 *  interface and not copied from our schemas. */
import { flag, type LimitTable, needed, range, values, words } from '../../testing/limit-table.ts'
import { silence } from './samples.ts'

const MiB = 1024 * 1024
const strict = '/v1/ai/default'

const t1: LimitTable = {
  operationId: 'createSpeech',
  path: `${strict}/audio/speech`,
  base: { model: 'tts-1', input: 'x', voice: 'alloy' },
  rows: [
    needed('input'),
    values('voice', { accepts: ['alloy', 'echo', 'fable', 'onyx', 'nova', 'shimmer'] }),
    words('response_format', ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'], { default: 'mp3' }),
    range('speed', [0.25, 4], { step: 0.01, default: 1 }),
  ],
}

const narration = (format: string): LimitTable => ({
  operationId: 'createNarration',
  path: `${strict}/tts-n/text-to-speech/${format}`,
  in: 'query',
  text: 'Once upon a time.',
  base: {},
  rows: [
    values('voice-speed', { accepts: ['fast', 'normal', 'slow', 0.3, 2], refuses: [0.29, 2.01, 'brisk'] }),
    values('voice-volume', { accepts: ['x-loud', 'loud', 'standard', 'soft', 'x-soft', 'normalized'], refuses: ['silent'] }),
  ],
})

const t3Path = `${strict}/tts-e/text-to-speech/21m00Tcm4TlvDq8ikWAM`
const formats = ['mp3_22050_32', 'mp3_44100_32', 'mp3_44100_64', 'mp3_44100_96', 'mp3_44100_128', 'mp3_44100_192']
const t3: LimitTable[] = [
  {
    operationId: 'createVoiceSpeech',
    path: t3Path,
    base: { text: 'x' },
    rows: [
      needed('text'),
      ...['monolingual_v1', 'multilingual_v2', 'turbo_v2_5', 'turbo_v2', 'multilingual_v1'].map(id =>
        values('model_id', { accepts: [`tts_${id}`] }),
      ),
      values('language_code', { accepts: ['de'], refuses: ['deu', 'German'] }, { beside: { model_id: 'tts_turbo_v2_5' } }),
      values('language_code', { refuses: ['de'] }, { beside: { model_id: 'tts_turbo_v2' } }),
      ...['stability', 'similarity_boost', 'style'].map(name => values(`voice_settings.${name}`, { accepts: [0, 0.5, 1], refuses: ['x'] })),
      flag('voice_settings.use_speaker_boost', { default: true }),
      values('pronunciation_dictionary_locators', {
        accepts: [[]],
        refuses: [Array(4).fill({ pronunciation_dictionary_id: 'd', version_id: 'v' })],
      }),
      values('seed', { accepts: [0, 4294967295], refuses: [1.5, 'x'] }),
      values('previous_text', { accepts: ['before'] }),
      values('next_text', { accepts: ['after'] }),
      values('previous_request_ids', { accepts: [[]], refuses: ['r', ['no such call']] }),
      values('next_request_ids', { accepts: [[]], refuses: ['r', ['no such call']] }),
    ],
  },
]
const t3Query: LimitTable = {
  operationId: 'createVoiceSpeech',
  path: t3Path,
  in: 'query',
  json: { text: 'x' },
  base: {},
  rows: [
    flag('enable_logging', { default: true }),
    values('optimize_streaming_latency', { accepts: [1, 4], refuses: [-1, 5] }),
    words('output_format', [...formats, 'pcm_16000', 'pcm_22050', 'pcm_24000', 'pcm_44100', 'ulaw_8000'], { default: 'mp3_44100_128' }),
  ],
}

const twoSeconds = silence(2)
const sized = (bytes: number) => Buffer.concat([twoSeconds, Buffer.alloc(bytes - twoSeconds.length)])
const known = (count: number, seconds = 3) => ({
  known_speaker_names: Array.from({ length: count }, (_, at) => `n${at}`),
  known_speaker_references: Array(count).fill(`data:audio/wav;base64,${silence(seconds).toString('base64')}`),
})
const r1: LimitTable = {
  operationId: 'createTranscription',
  path: `${strict}/audio/transcriptions`,
  in: 'multipart',
  base: { file: twoSeconds },
  rows: [
    needed('file'),
    values(
      'file',
      { accepts: [sized(25 * MiB)], refuses: [sized(25 * MiB + 1), Buffer.from('no sound')] },
      { beside: { model: 'whisper-1' } },
    ),
    values('chunking_strategy', { accepts: ['auto', { type: 'server_vad' }], refuses: ['often'] }),
    values('include', { accepts: [['logprobs']], refuses: [['everything']] }),
    values('include', { refuses: [['logprobs']] }, { beside: { model: 'gpt-4o-transcribe-diarize' } }),
    values(
      'known_speaker_names',
      { accepts: [known(1).known_speaker_names], refuses: [known(2).known_speaker_names] },
      { beside: known(1) },
    ),
    values('known_speaker_names', { accepts: [known(4).known_speaker_names] }, { beside: known(4) }),
    values('known_speaker_names', { refuses: [known(5).known_speaker_names] }, { beside: known(5) }),
    ...[2, 10].map(seconds =>
      values('known_speaker_references', { accepts: [known(1, seconds).known_speaker_references] }, { beside: known(1) }),
    ),
    ...[1.8, 10.2].map(seconds =>
      values('known_speaker_references', { refuses: [known(1, seconds).known_speaker_references] }, { beside: known(1) }),
    ),
    values('language', { accepts: ['en', 'zh'], refuses: ['English!'] }),
    words('response_format', ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'], { default: 'json' }),
    ...['gpt-4o-transcribe', 'gpt-4o-mini-transcribe'].map(model =>
      values(
        'response_format',
        { accepts: ['json'], refuses: ['text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] },
        { beside: { model } },
      ),
    ),
    flag('stream', { default: false }),
    range('temperature', [0, 1], { step: 0.01, default: 0 }),
    values(
      'timestamp_granularities',
      { accepts: [['word'], ['segment'], ['word', 'segment']], refuses: [['letter']] },
      {
        beside: { response_format: 'verbose_json' },
      },
    ),
    values('timestamp_granularities', { refuses: [['word']] }),
    values('timestamp_granularities', { refuses: [['word']] }, { beside: { model: 'gpt-4o-transcribe-diarize' } }),
  ],
}
const r2: LimitTable = {
  ...r1,
  base: { file: twoSeconds, model: 'whisper-1' },
  rows: [
    values('response_format', { accepts: ['json', 'verbose_json'] }),
    range('temperature', [0, 1], { step: 0.01 }),
    values('timestamp_granularities', { accepts: [['none'], ['word'], ['sentence']] }, { beside: { response_format: 'verbose_json' } }),
  ],
}
const r1Translation: LimitTable = {
  operationId: 'createAudioTranslation',
  path: `${strict}/audio/translations`,
  in: 'multipart',
  base: { file: twoSeconds },
  rows: [
    needed('file'),
    words('response_format', ['json', 'text', 'srt', 'verbose_json', 'vtt'], { default: 'json' }),
    values('response_format', { refuses: ['diarized_json'] }),
    range('temperature', [0, 1], { step: 0.01, default: 0 }),
  ],
}

const locales = ['de-DE', 'en-IN', 'en-US', 'es-ES', 'es-MX', 'fr-FR', 'hi-IN', 'it-IT', 'ja-JP', 'ko-KR', 'pt-BR', 'zh-CN']
const stereo = silence(2, 2)
const both = { enabled: true, maxSpeakers: 2 }
const r3: LimitTable = {
  operationId: 'transcribeFast',
  path: `${strict}/speechtotext/transcriptions:transcribe?api-version=2024-11-15`,
  in: 'multipart',
  base: { audio: twoSeconds },
  rows: [
    needed('audio'),
    values('audio', { accepts: [sized(25 * MiB)], refuses: [sized(25 * MiB + 1), Buffer.from('no sound')] }),
    values('definition.channels', { accepts: [[0, 1], [0], [1]], refuses: [[0, 1, 2], [-1]] }, { beside: { audio: stereo } }),
    values(
      'definition',
      {
        accepts: [{ channels: [0], diarization: both }],
        refuses: [{ channels: [0, 1], diarization: both }],
      },
      { beside: { audio: stereo } },
    ),
    flag('definition.diarization.enabled'),
    values('definition.locales', { accepts: [locales, []] }),
    words('definition.profanityFilterMode', ['None', 'Masked', 'Removed', 'Tags'], { default: 'Masked' }),
  ],
}
const r4Locales = `ar-AE ar-BH ar-DZ ar-EG ar-IQ ar-JO ar-KW ar-LY ar-MA ar-OM ar-QA ar-SA ar-SY ar-YE da-DK nl-NL en-AU et-EE fi-FI fr-CA
  fr-FR de-DE el-GR gu-IN he-IL hi-IN hu-HU id-ID bn-IN bg-BG ca-ES zh-CN zh-HK zh-TW hr-HR cs-CZ ga-IE it-IT ja-JP kn-IN ml-IN ko-KR
  lv-LV lt-LT mt-MT mr-IN nb-NO pl-PL pt-BR pt-PT ro-RO ru-RU sk-SK sl-SI es-AR es-BO es-CL es-CO es-CR es-CU es-DO es-EC es-SV es-GQ
  es-GT es-HN es-MX es-NI es-PA es-PY es-PE es-PR es-ES es-UY es-US es-VE sv-SE ta-IN te-IN th-TH tr-TR uk-UA vi-VN`.split(/\s+/)
/** Returns the names in groups of ten, the most that a request may list. */
const tens = (names: readonly string[]) =>
  Array.from({ length: Math.ceil(names.length / 10) }, (_, at) => names.slice(10 * at, 10 * at + 10).join(','))
const r4: LimitTable = {
  operationId: 'recognizeShort',
  path: `${strict}/audio/recognize`,
  in: 'multipart',
  base: { file: twoSeconds },
  rows: [
    needed('file'),
    values('file', { accepts: [silence(30)], refuses: [silence(31)] }),
    values('recognitionLanguages', { accepts: ['de-DE', ...tens(r4Locales)], refuses: ['xx-XX'] }),
  ],
}

const r5: LimitTable = {
  operationId: 'translateSpeech',
  path: `${strict}/audio/realtime/translation`,
  in: 'multipart',
  base: { file: twoSeconds, targetLanguages: 'de', recognitionLanguages: 'en-US' },
  rows: [
    needed('file'),
    needed('targetLanguages'),
    needed('recognitionLanguages'),
    values('file', { accepts: [silence(31)] }),
    values('targetLanguages', { accepts: ['de', 'de,fr'] }),
    values('hasRecognize', { accepts: ['true', 'false'], refuses: ['perhaps'] }, { default: 'false' }),
    values('SegmentationSilenceTimeoutMs', { accepts: ['2000'], refuses: ['soon'] }, { default: 2000 }),
  ],
}

export const soundTables: readonly LimitTable[] = [
  t1,
  narration('mp3'),
  narration('m4a'),
  ...t3,
  t3Query,
  r1,
  r2,
  r1Translation,
  r3,
  r4,
  r5,
]
