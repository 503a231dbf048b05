/** Prints new contents for `levels.ts`: the gain that brings each voice to the common loudness. Run
 *  this script when a model or a voice changes: `node engines/speech/testing/measure-levels.ts
 *  [voice ...]`. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loudnessOf } from '@generation-gateway/kit/audio/loudness.ts'
import { samplesOf } from '@generation-gateway/kit/audio/pcm.ts'
import { type OpenEngine, openEngine } from '@generation-gateway/kit/open-engine.ts'
import type { SpeechEvent, SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import speech from '../driver.ts'
import { commonLoudness, levels } from '../levels.ts'
import { rateOf } from '../makers.ts'
import { type EngineVoice, voices } from '../voices.ts'

/** Half a minute of prose in the language of each voice; a single sentence would not be enough,
 *  because it may deviate by 2 dB. The Japanese voices speak the English text, because Japanese
 *  texts are not supported. */
const texts: Readonly<Record<string, string>> = {
  en: 'The old lighthouse stood on a cliff above the sea. Every evening its keeper climbed the stairs, lit the lamp, and watched the ships pass by. One night a storm came up, and the bell rang until the morning. Nobody in the village had slept. At dawn the children ran down to the beach, where the waves had left a small green boat, and in the boat sat a dog who looked at them as if he had been waiting. Did he belong to anyone? They gave him bread, and he followed them home.',
  es: 'El viejo faro estaba sobre una roca, encima del mar. Cada tarde el guarda subía las escaleras, encendía la lámpara y miraba pasar los barcos. Una noche llegó una tormenta, y la campana sonó hasta la mañana. Nadie en el pueblo había dormido. Al amanecer los niños bajaron a la playa, donde las olas habían dejado una pequeña barca verde, y en la barca había un perro que los miraba como si los esperara. Le dieron pan, y él los siguió hasta casa.',
  fr: "Le vieux phare se dressait sur une falaise, au-dessus de la mer. Chaque soir le gardien montait l'escalier, allumait la lampe et regardait passer les bateaux. Une nuit, une tempête se leva, et la cloche sonna jusqu'au matin. Personne au village n'avait dormi. À l'aube les enfants coururent vers la plage, où les vagues avaient laissé une petite barque verte, et dans la barque il y avait un chien qui les regardait comme s'il les attendait. Ils lui donnèrent du pain, et il les suivit à la maison.",
  hi: 'पुराना दीपघर समुद्र के ऊपर एक चट्टान पर खड़ा था। हर शाम उसका रखवाला सीढ़ियाँ चढ़ता, दीपक जलाता और जहाज़ों को जाते हुए देखता था। एक रात तूफ़ान आया, और घंटी सुबह तक बजती रही। गाँव में कोई नहीं सोया था। सुबह बच्चे नदी के किनारे दौड़े, जहाँ लहरों ने एक छोटी हरी नाव छोड़ी थी, और नाव में एक कुत्ता बैठा था। बच्चों ने उसे रोटी दी, और वह उनके साथ घर चला गया।',
  it: "Il vecchio faro stava su una roccia sopra il mare. Ogni sera il guardiano saliva le scale, accendeva la lampada e guardava passare le navi. Una notte venne una tempesta, e la campana suonò fino al mattino. Nessuno nel paese aveva dormito. All'alba i bambini corsero alla spiaggia, dove le onde avevano lasciato una piccola barca verde, e nella barca c'era un cane che li guardava come se li aspettasse. Gli diedero del pane, e lui li seguì a casa.",
  pt: 'O velho farol ficava sobre uma rocha, acima do mar. Todas as tardes o guarda subia as escadas, acendia a lâmpada e olhava os navios passarem. Uma noite veio uma tempestade, e o sino tocou até a manhã. Ninguém na aldeia tinha dormido. De madrugada as crianças correram para a praia, onde as ondas tinham deixado um pequeno barco verde, e no barco estava um cão que olhava para elas como se as esperasse. Deram pão a ele, e ele foi com elas para casa.',
  zh: '老灯塔站在海边的山上。每天晚上，守塔的人爬上楼梯，点亮灯，看着船一只一只地过去。有一天夜里来了大风雨，钟一直响到早上。村子里谁也没有睡。天亮的时候，孩子们跑到海边，看见海水留下了一只绿色的小船，船里坐着一只狗，看着他们，好像在等他们。孩子们给它面包，它就跟着他们回家了。后来，它每天都和他们一起去学校。',
}

/** Names of the voices to measure; without names, all voices but those of eSpeak, which have no
 *  gain in `levels.ts`. */
const wanted = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'speech-levels-'))
const engine = openEngine(speech, { folder })
try {
  for (const voice of voices.filter(({ id, maker }) => (wanted.length === 0 ? maker !== 'ESpeak' : wanted.includes(id)))) {
    const level = (levels[voice.id] ?? 0) + commonLoudness - (await loudnessBy(engine, voice))
    process.stdout.write(`  ${voice.id}: ${level.toFixed(1)},\n`)
  }
} finally {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
}

/** Returns the loudness of a voice in LUFS with its current gain. */
async function loudnessBy(speaking: OpenEngine, { id, maker, language }: EngineVoice): Promise<number> {
  const spoken = language.slice(0, 2)
  const request: SpeechRequest = {
    ...{ text: texts[spoken] ?? '', language: spoken, voice: id, speed: 1, volume: 0, format: { container: 'pcm' } },
  }
  const parts: Uint8Array[] = []
  await speaking.run('speech.synthesize', request, {
    onEvent: event => {
      // All events of speech synthesis are of this type.
      const part = event as SpeechEvent
      if (part.type === 'sound') parts.push(part.bytes)
    },
  })
  return loudnessOf(samplesOf(Buffer.concat(parts)), rateOf(maker))
}
