import { join } from 'node:path'
import { packFilesIn } from '@generation-gateway/kit/pack-files.ts'
import { packsDirectory } from '@generation-gateway/kit/packs.ts'
import type { MusicRequest } from '@generation-gateway/kit/requests/music.ts'
import { hibariNetwork, hibariPack } from '@generation-gateway/kit/voice/hibari-pack.ts'
import engine from '../../engines/composer/driver.ts'
import { composerPacks, soundfontFile, soundfontPack } from '../../engines/composer/packs.ts'
import { makePiece } from '../../engines/composer/piece.ts'
import type { FairnessCase, Run } from './case.ts'

const lyrics = Array.from({ length: 40 }, (_, line) => `I walk along the river ${'again '.repeat(line % 3)}and sing`).join('\n')
const song: MusicRequest = { count: 1, seed: '7', seconds: 600, prompt: 'upbeat pop with full band', lyrics }
const long: Run = (opened, options) => opened.run('music.song', song, options)

export async function composerCases(folder: string): Promise<FairnessCase[]> {
  return [
    {
      name: 'composer: an instrumental of 30 s beside two songs of 600 s',
      engine,
      long: [long, long],
      short: (opened, options) =>
        opened.run('music.instrumental', { count: 1, seed: '7', seconds: 30, prompt: 'slow jazz trio at night' }, options),
      inPieces: giveWay => {
        const packs = packFilesIn(packsDirectory(process.env), composerPacks)
        const [bank, voice] = [packs.file(soundfontPack, soundfontFile), packs.file(hibariPack, hibariNetwork)]
        if (bank === undefined || voice === undefined) throw new Error('The packs of the composer are missing: npm run setup adds them.')
        const { prompt = '', seed } = song
        const job = { prompt, seed, seconds: 120, lyrics, sounds: { bank, voice }, inputs: [], cover: join(folder, 'cover.png') }
        return makePiece(job, { giveWay, progress: () => {}, tell: () => {} })
      },
    },
  ]
}
