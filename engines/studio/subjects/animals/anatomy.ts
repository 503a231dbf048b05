/** Proportions and appearance of a four-legged animal. The unit of lengths is a hundredth of its
 *  standing height, up to the top of the head. */
export interface Species {
  /** Length of the trunk from chest to rump (`length`), its thickness (`depth`), and the height
   *  of the belly above the ground (`legs`). */
  length: number
  depth: number
  legs: number
  legWidth: number
  /** Length of the neck, and its lean from upright towards the front, in degrees. */
  neck: number
  neckLean: number
  neckWidth: number
  head: HeadKind
  headWidth: number
  headHeight: number
  ears: 'pointed' | 'round' | 'long' | 'floppy' | 'leaf' | 'tufted' | 'none'
  earSize: number
  tail: 'bushy' | 'thin' | 'tuft' | 'horse' | 'short' | 'curly' | 'puff' | 'ringed' | 'squirrel' | 'pompom' | 'none'
  coat: string
  belly: string
  /** Colour of the lower legs. */
  socks: string
  /** Colour of hooves; when absent, the feet are paws. */
  hoof?: string | undefined
  muzzle: string
  nose: string
  inner: string
  tailTip: string
  markings: Marking[]
  horns?: 'antlers' | 'moose' | 'horns' | 'bull' | 'ibex' | 'unicorn' | 'tusks' | 'ossicones' | 'ram' | undefined
  mane?: 'lion' | 'horse' | 'zebra' | 'boar'
  maneColour?: string
  wings?: boolean
  /** True for an elephant with a raised trunk that sprays water. */
  isSpraying?: boolean
}

type HeadKind =
  | 'canine'
  | 'feline'
  | 'bear'
  | 'rodent'
  | 'equine'
  | 'bovine'
  | 'deer'
  | 'sheep'
  | 'pig'
  | 'elephant'
  | 'koala'
  | 'giraffe'
  | 'rabbit'
  | 'monkey'

type Marking =
  | 'stripes'
  | 'zebra'
  | 'rosettes'
  | 'patches'
  | 'fawn'
  | 'giraffe'
  | 'wool'
  | 'panda'
  | 'fox'
  | 'wolf'
  | 'tabby'
  | 'mask'
  | 'saddle'
  | 'blaze'
  | 'spots'
  | 'dots'
  | 'calico'
  | 'curls'
  | 'feathered'
  | 'poodle'
  | 'badger'
  | 'skunk'
  | 'sloth'
  | 'plates'
  | 'quills'
