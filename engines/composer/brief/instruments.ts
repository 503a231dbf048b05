/** The instruments with the names that prompts use for them. */
import type { Instrument } from '../score.ts'

export interface NamedInstrument {
  words: readonly string[]
  instrument: Instrument
  /** The part that the instrument plays when a prompt names it: the tune (`lead`), rhythmic chords,
   *  held chords (`pad`), the bass or the drums. */
  role: 'lead' | 'chords' | 'pad' | 'bass' | 'drums'
  /** Pattern in which the instrument plays chords. Its characters are described in
   *  `engines/composer/styles/style.ts`. */
  pattern?: string
}

/** The instruments. Prompts are searched for their names in this order, so an instrument whose
 *  name contains the name of another one (`electric piano`, `piano`) must come before that other
 *  one. */
export const namedInstruments: readonly NamedInstrument[] = [
  { words: ['electric piano', 'rhodes', 'wurlitzer', '电钢琴'], instrument: 4, role: 'chords', pattern: 'x-----x-..x-----' },
  { words: ['piano', 'pianos', '钢琴', 'ピアノ', '피아노'], instrument: 0, role: 'chords', pattern: 'R-3-5-3-x---3-4-' },
  { words: ['harpsichord', '大键琴'], instrument: 6, role: 'chords', pattern: '1-3-2-3-1-3-2-3-' },
  { words: ['celesta'], instrument: 8, role: 'lead' },
  { words: ['music box', '八音盒', 'オルゴール'], instrument: 10, role: 'lead' },
  { words: ['vibraphone', 'vibes'], instrument: 11, role: 'lead' },
  { words: ['marimba'], instrument: 12, role: 'lead' },
  { words: ['xylophone'], instrument: 13, role: 'lead' },
  { words: ['bells', 'tubular bells'], instrument: 14, role: 'lead' },
  { words: ['church organ', 'pipe organ', '管风琴'], instrument: 19, role: 'pad' },
  { words: ['organ', 'hammond', 'オルガン'], instrument: 16, role: 'pad' },
  { words: ['accordion', '手风琴'], instrument: 21, role: 'lead' },
  { words: ['harmonica', '口琴'], instrument: 22, role: 'lead' },
  { words: ['bass guitar', 'bass guitars', 'slap bass', '贝斯'], instrument: 33, role: 'bass' },
  {
    words: ['distorted guitar', 'distortion guitar', 'heavy guitar', 'heavy guitars'],
    instrument: 30,
    role: 'chords',
    pattern: 'x---x-x-..x-x-x-',
  },
  { words: ['electric guitar', 'electric guitars', '电吉他', 'エレキギター'], instrument: 27, role: 'chords', pattern: 'x---..x-x---x---' },
  { words: ['nylon guitar', 'classical guitar', 'spanish guitar'], instrument: 24, role: 'chords', pattern: 'R-3-2-4-r-3-2-4-' },
  {
    words: ['acoustic guitar', 'guitar', 'guitars', '木吉他', '吉他', 'ギター', '기타'],
    instrument: 25,
    role: 'chords',
    pattern: 'R-3-2-4-r-3-2-4-',
  },
  { words: ['double bass', 'upright bass', 'contrabass'], instrument: 32, role: 'bass' },
  { words: ['synth bass'], instrument: 'saw', role: 'bass' },
  { words: ['fiddle'], instrument: 110, role: 'lead' },
  { words: ['violin', 'violins', '小提琴', 'バイオリン', '바이올린'], instrument: 40, role: 'lead' },
  { words: ['viola'], instrument: 41, role: 'lead' },
  { words: ['cello', 'cellos', '大提琴', 'チェロ', '첼로'], instrument: 42, role: 'lead' },
  { words: ['harp', '竖琴'], instrument: 46, role: 'chords', pattern: '1-2-3-4-5-4-3-2-' },
  { words: ['strings', 'string section', '弦乐', 'ストリングス'], instrument: 48, role: 'pad' },
  { words: ['choir', 'choral', '合唱'], instrument: 52, role: 'pad' },
  { words: ['trumpet', 'trumpets', '小号'], instrument: 56, role: 'lead' },
  { words: ['trombone'], instrument: 57, role: 'lead' },
  { words: ['french horn', 'horn'], instrument: 60, role: 'lead' },
  { words: ['brass', 'horns', '铜管'], instrument: 61, role: 'chords', pattern: 'x-............x-' },
  { words: ['saxophone', 'sax', '萨克斯', 'サックス', '색소폰'], instrument: 66, role: 'lead' },
  { words: ['oboe', '双簧管'], instrument: 68, role: 'lead' },
  { words: ['bassoon'], instrument: 70, role: 'lead' },
  { words: ['clarinet', '单簧管'], instrument: 71, role: 'lead' },
  { words: ['pan flute', 'panpipes'], instrument: 75, role: 'lead' },
  { words: ['shakuhachi', '箫'], instrument: 77, role: 'lead' },
  { words: ['flute', 'flutes', '长笛', '笛子', 'フルート', '플루트'], instrument: 73, role: 'lead' },
  { words: ['whistle', 'whistling'], instrument: 78, role: 'lead' },
  { words: ['ocarina'], instrument: 79, role: 'lead' },
  { words: ['synth pad', 'synth pads', 'pads', 'pad'], instrument: 89, role: 'pad' },
  { words: ['synth lead', 'synthesizer', 'synthesiser', 'synth', 'synths', '合成器', 'シンセ'], instrument: 'saw', role: 'lead' },
  { words: ['sitar'], instrument: 104, role: 'lead' },
  { words: ['banjo'], instrument: 105, role: 'chords', pattern: '1324132413241324' },
  { words: ['ukulele', '尤克里里', 'ウクレレ'], instrument: 24, role: 'chords', pattern: 'd---d-u-..u-d-u-' },
  { words: ['shamisen', 'pipa', '琵琶', '三味線'], instrument: 106, role: 'lead' },
  { words: ['guzheng', 'koto', 'zither', '古筝', '琴'], instrument: 107, role: 'chords', pattern: 'R-2-3-4-5-4-3-2-' },
  { words: ['kalimba'], instrument: 108, role: 'lead' },
  { words: ['bagpipes', 'bagpipe'], instrument: 109, role: 'lead' },
  { words: ['erhu', '二胡'], instrument: 110, role: 'lead' },
  { words: ['steel drums', 'steel drum', 'steelpan'], instrument: 114, role: 'lead' },
  { words: ['drums', 'drum', 'percussion', 'beats', '鼓', 'ドラム'], instrument: 0, role: 'drums' },
]
