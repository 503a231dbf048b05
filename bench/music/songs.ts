/** Songs for `sung-words.ts`, whose words are sung and then recognized again. The words are
 *  plain, so a word that is not recognized was sung badly. */
export const songs = {
  en: [
    `[Verse]
Morning light is on the river
Every window turns to gold
I was walking through the city
With a story to be told
[Chorus]
Carry me home tonight
Under the silver moon
All of the stars are bright
I will be with you soon`,
    `[Verse]
There is snow along the mountain
And the birds have gone away
We were dreaming of the summer
On a cold December day
[Chorus]
Open the door and sing
Let every color shine
Winter will turn to spring
Put your hand in mine`,
    `[Verse]
In the garden by the water
Where the yellow flowers grow
My old friend is playing music
That we heard so long ago
[Chorus]
Dance with me one more time
Follow the sound of drums
Leave all the world behind
Wait till the morning comes`,
  ],
  zh: [
    `[Verse]
今天的天气很好
我们一起去公园
孩子们在唱歌
小鸟在天上飞
[Chorus]
我喜欢你的笑容
就像春天的阳光
请你不要忘记我
我们明天再见`,
    `[Verse]
夜晚的城市很安静
月亮照在我的窗前
我想起了我的妈妈
她在家里等我回来
[Chorus]
回家的路很长很长
可是我不怕黑暗
因为有你在身边
世界变得很美丽`,
  ],
} as const
