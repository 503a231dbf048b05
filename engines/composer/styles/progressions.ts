/** Chord progressions that several styles use. */
import type { Progressions } from './style.ts'

export const popMajor: Progressions = {
  verse: ['I V vi IV', 'I vi IV V', 'vi IV I V', 'I iii IV V', 'I IV vi V'],
  chorus: ['IV V vi I', 'I V vi IV', 'IV I V vi', 'I IV vi V'],
  bridge: ['vi V IV IV ii iii IV V', 'IV IV iii vi ii ii V V'],
}
export const popMinor: Progressions = {
  verse: ['i bVI bIII bVII', 'i bVII bVI bVII', 'i iv bVI bVII', 'i bIII bVII iv'],
  chorus: ['bVI bVII i bIII', 'i bVI bIII bVII', 'bVI bIII bVII i', 'iv bVI i bVII'],
  bridge: ['iv iv i i bVI bVI bVII V', 'bVI bVII v i bVI bVII iv V'],
}
export const rockMajor: Progressions = {
  verse: ['I IV I V', 'I bVII IV I', 'I I IV V', 'vi IV I V'],
  chorus: ['I V IV IV', 'IV I V V', 'I bVII IV V', 'I V vi IV'],
  bridge: ['vi vi IV IV vi vi V V', 'bVI bVII I I bVI bVII V V'],
}
export const rockMinor: Progressions = {
  verse: ['i i bVI bVII', 'i bVII i bVII', 'i bIII iv i'],
  chorus: ['i bVI bIII bVII', 'bVI bVII i i', 'i bVII bVI V'],
  bridge: ['iv iv i i bVI bVI V V', 'bVI bIII bVII i bVI bIII V V'],
}
export const loopMinor: Progressions = {
  verse: ['i i bVI bVI', 'i bVII bVI bVI', 'i i iv iv'],
  chorus: ['i bIII bVII bVI', 'bVI bVII i i', 'i bVI bIII bVII'],
  bridge: ['bVI bVI bVII bVII iv iv V V'],
}
export const loopMajor: Progressions = {
  verse: ['I I vi vi', 'IV IV I I', 'vi vi IV IV'],
  chorus: ['IV V vi I', 'I V vi IV', 'IV V iii vi'],
  bridge: ['ii ii IV IV vi vi V V'],
}
export const jazzMajor: Progressions = {
  verse: ['Imaj7 vi7 ii7 V7', 'iii7 VI7 ii7 V7', 'Imaj7 #i° ii7 V7', 'Imaj7 IVmaj7 iii7,VI7 ii7,V7'],
  chorus: ['ii7 V7 Imaj7 VI7', 'IVmaj7 iv7,bVII7 iii7 VI7 ii7 V7 Imaj7 ii7,V7'],
  bridge: ['v7 I7 IVmaj7 IVmaj7 vi7 II7 ii7 V7', 'III7 III7 VI7 VI7 II7 II7 V7 V7'],
}
export const jazzMinor: Progressions = {
  verse: ['i7 iv7 iiø7 V7b9', 'i7 bVImaj7 iiø7 V7b9', 'i7 i7 iv7 V7b9'],
  chorus: ['iv7 bVII7 bIIImaj7 bVImaj7 iiø7 V7b9 i7 i7', 'iiø7 V7b9 i7 i7'],
  bridge: ['iv7 iv7 i7 i7 bVI7 bVI7 V7 V7'],
}
export const classicalMajor: Progressions = {
  verse: ['I V/3 vi I/5 IV I/3 ii V', 'I IV/5 I V/3 I ii/3 I/5,V I', 'I I/3 IV V I vi ii/3 V'],
  chorus: ['I vi IV ii V V I V', 'IV V iii vi ii V I I', 'I V/3 I IV/3 I/5 V I V'],
  bridge: ['vi III vi III IV I/3 II V', 'ii vi ii vi II V II V'],
}
export const classicalMinor: Progressions = {
  verse: ['i V/3 i V i iv/3 i/5,V i', 'i V/3 bVII/3 IV/3 bVI iv V V', 'i iv bVII bIII bVI iiø V i'],
  chorus: ['i bVII bVI V i iv V i', 'bIII bVII bVI bIII iv i/5 V V'],
  bridge: ['bIII bVII/3 i v/3 bVI bIII/3 iv V', 'bVI bVI bIII bIII iv iv V V'],
}
