/** The languages for which the engine uses eSpeak NG's own voices, because Kokoro does not support
 *  these languages. The voices are formant synthesis: clear, but audibly artificial. */

/** Voice files in eSpeak's data folder, below `lang/`; the file name is the language code. */
const rows =
  'gmw/af roa/an trk/az zls/bg inc/bn zls/bs roa/ca zlw/cs cel/cy gmq/da gmw/de grk/el art/eo urj/et eu ira/fa urj/fi cel/ga cel/gd inc/gu zls/hr urj/hu ine/hy poz/id gmq/is jpx/ja ccs/ka trk/kk dra/kn ko ira/ku trk/ky itc/la gmw/lb bat/lt bat/lv poz/mi zls/mk dra/ml inc/mr poz/ms sem/mt gmq/nb inc/ne gmw/nl inc/pa zlw/pl roa/ro zle/ru zlw/sk zls/sl ine/sq zls/sr gmq/sv bnt/sw dra/ta dra/te trk/tr trk/tt zle/uk inc/ur trk/uz aav/vi'
    .split(' ')
    .map(file => ({ file, language: file.split('/').at(-1) ?? file }))

/** Languages whose eSpeak dictionary has another code. */
const dictionaries: Readonly<Record<string, string>> = { nb: 'no' }

interface ESpeakVoice {
  /** ISO 639-1 code of the language. eSpeak's voice for it has the same name. */
  language: string
  /** Path of the voice file in eSpeak's data folder, below `lang/`. */
  file: string
  dictionary: string
}

export const eSpeakVoices: readonly ESpeakVoice[] = rows.map(row => ({
  ...row,
  dictionary: `${dictionaries[row.language] ?? row.language}_dict`,
}))
