import type { Camera, StyleKind } from '../../scene.ts'

export const styleWords: Record<StyleKind, string> = {
  illustration:
    "diagram style of, diagram style, illustration, illustrated, digital art, digital painting, digital illustration, storybook, storybook illustration, children's book illustration, picture book, concept art, childrens book, children's book, book illustration, drawing, artwork, gouache, gouache painting, fairy tale illustration, fantasy art, artstation, trending on artstation, pixar, disney, pixar style, disney style, cartoon, cartoon style, cartoonish, whimsical illustration, painting, 插画, 插图, 绘本, 童话风格, 数字艺术, 童话插画, 卡通, 卡通风格, 绘本风格, 儿童绘本, 水粉, 水粉画, 概念艺术, 插画风格, 数字绘画, 画, 皮克斯, 迪士尼, 童书插画, 儿童插画, 动画风格, 手绘, 手绘风格, 彩绘",
  watercolor:
    'watercolor, watercolour, water color, water colour, aquarelle, watercolor painting, watercolour painting, watercolors, watercolours, loose watercolor, soft watercolor, watercolor style, watercolor illustration, wet on wet, 水彩, 水彩画, 水彩风格, 水彩插画, 淡彩, 水彩风',
  oil: 'oil painting, oil paint, oil on canvas, oils, oil, acrylic, acrylic painting, oil-painting, rembrandt, renaissance painting, baroque painting, classical painting, palette knife, impasto, turner, j.m.w. turner, vermeer, caravaggio, old master, old masters, baroque, renaissance, thick brush strokes, thick brushstrokes, fine art painting, 油画, 油画风格, 丙烯, 丙烯画, 古典油画, 厚涂, 文艺复兴, 伦勃朗, 巴洛克',
  sketch:
    'sketch, crosshatched, crosshatch, cross-hatched, crosshatching, crosshatched drawing, pencil sketch, pencil drawing, pencil, graphite, hand-drawn, hand drawn, charcoal, charcoal drawing, charcoal sketch, pen sketch, sketched, pencil art, colored pencil, coloured pencil, rough sketch, colored pencils, color pencil, 素描, 铅笔画, 速写, 铅笔素描, 炭笔, 炭笔画, 草图, 彩铅, 彩铅画, 素描风格, 铅笔',
  ink: 'ink, pen-and-ink, pen and ink drawing, pen-and-ink drawing, ink drawing, ink wash, ink painting, ink wash painting, chinese ink, sumi-e, sumi e, chinese painting, ink and wash, pen and ink, black ink, black and white ink, black and white ink drawing, calligraphic, chinese ink painting, traditional chinese painting, chinese brush painting, brush painting, ink illustration, ink sketch, india ink, shuimo, 水墨, 水墨画, 国画, 国画风格, 水墨风格, 中国画, 水墨风, 写意, 工笔, 工笔画, 山水画, 中国风, 中国水墨画, 墨, 钢笔画, 泼墨, 水墨山水, 传统国画, 水墨丹青',
  pixel:
    'pixel art, pixel, pixelated, 8-bit, 8bit, 8 bit, 16-bit, 16bit, 16 bit, retro game, retro game style, pixel style, pixel-art, sprite art, game boy, minecraft, voxel, voxel art, nes style, 像素, 像素画, 像素风, 像素艺术, 像素风格, 复古游戏, 我的世界, 体素',
  anime:
    'anime, anime style, manga style, ghibli, studio ghibli, ghibli style, studio ghibli style, miyazaki, hayao miyazaki, japanese animation, makoto shinkai, chibi, anime art, anime key visual, waifu, cel shading, cel shaded, cel-shaded, anime illustration, japanese anime, shonen, 动漫, 动漫风格, 动漫风, 日漫, 宫崎骏, 吉卜力, 二次元, 新海诚, 日本动漫, 日系动漫, 吉卜力风格, 宫崎骏风格, 赛璐璐, q版, 日系',
  comic:
    'comic, comic book, comic style, comics, graphic novel, comic book style, manga, comic strip, marvel, marvel comics, dc comics, tintin, ligne claire, comic art, superhero comic, 漫画, 漫画风格, 美漫, 连环画, 美式漫画, 漫画风',
  vintage:
    'vintage, retro, retro style, old photo, old photograph, sepia, 1950s, 1960s, 1970s, 1920s, 1930s, 1940s, 50s, 60s, 70s, 80s, vintage photo, antique photo, nostalgic, polaroid, vintage poster, old-fashioned poster, retro poster, film grain, kodak, vintage style, vintage postcard, faded photo, art deco, art deco style, art nouveau, art nouveau style, alphonse mucha, mucha, travel poster, 复古, 怀旧, 老照片, 复古风格, 旧照片, 年代感, 复古风, 民国, 复古海报, 装饰艺术, 复古色调',
  noir: 'noir, film noir, black and white, black-and-white, monochrome, monochromatic, b&w, greyscale, grayscale, black and white photo, black and white photograph, black & white, 黑白, 黑白照片, 黑色电影, 单色, 黑白风格, 黑白电影',
  cinematic:
    'cinematic, cinematic lighting, film still, movie still, movie scene, epic, blockbuster, cinematic shot, anamorphic, cinematic style, film scene, dramatic lighting, movie poster, imax, volumetric lighting, teal and orange grading, 电影感, 电影, 电影质感, 大片, 史诗, 电影风格, 电影镜头, 电影画面, 戏剧性光线, 电影级, 电影光效, 史诗感',
  flat: 'emoji, emoji style, flat design, flat, vector art, vector, minimalist, minimal, minimalistic, flat illustration, flat style, flat vector, icon, logo, clip art, clipart, flat colors, flat colours, graphic design, minimalism, vector illustration, infographic, poster, sticker, geometric style, simple shapes, bauhaus, 扁平, 扁平化, 扁平风格, 矢量, 极简, 极简主义, 极简风格, 简约, 图标, 扁平插画, 海报, 贴纸, 矢量插画, 扁平风, 剪影, 简约风格, 标志',
  clay: 'clay, claymation, plasticine, clay style, clay model, stop motion, stop-motion, 3d, 3d render, 3d rendering, 3d style, plush style, play-doh, toy style, aardman, blender, octane render, unreal engine, c4d, rendered in blender, 3d cartoon, blind box, figurine style, felt, felted, needle felt, needle felted, knitted style, 粘土, 黏土, 橡皮泥, 粘土风格, 定格动画, 3d渲染, 三维, 黏土风格, 毛毡, 盲盒, 立体, 3d风格, 泡泡玛特, 羊毛毡',
  neon: 'neon style, glow art, blacklight, tron, neon art, glowing neon, 霓虹风格',
  pastel:
    'pastel, pastels, pastel colors, pastel colours, soft pastel, soft pastels, pastel drawing, pastel palette, kawaii, pastel tones, pastel style, soft colors, soft colours, pale colors, 粉彩, 马卡龙, 马卡龙色, 柔和色彩, 粉彩画, 粉彩风格, 色粉, 奶油风, 柔和色调, 淡雅',
  'low-poly':
    'low poly, low-poly, lowpoly, polygonal, low poly art, isometric low poly, polygon art, low-poly style, faceted, 低多边形, 低面, 多边形风格, 低多边形风格, 低模',
  'stained-glass':
    'stained glass, stained-glass, stained glass window, stained glass style, stained glass art, leaded glass, 彩色玻璃, 彩绘玻璃, 花窗玻璃, 教堂玻璃, 彩色玻璃风格, 玻璃彩绘',
  mosaic:
    'mosaic, mosaic art, tiled mosaic, roman mosaic, mosaic style, mosaic tiles, byzantine mosaic, 马赛克, 镶嵌画, 马赛克风格, 马赛克拼贴',
  woodcut:
    'woodcut, wood cut, woodblock, woodblock print, linocut, lino print, engraving, etching, block print, linocut print, woodblock art, wood engraving, woodcut print, lithograph, 木刻, 版画, 木版画, 木刻版画, 铜版画, 年画',
  impressionist:
    'impressionist, impressionism, impressionistic, van gogh, vincent van gogh, monet, claude monet, renoir, post-impressionist, post-impressionism, cezanne, degas, starry night style, pissarro, expressionist, expressionism, 印象派, 印象主义, 梵高, 莫奈, 梵高风格, 莫奈风格, 后印象派, 印象派风格, 雷诺阿',
  'pop-art':
    'pop art, pop-art, andy warhol, warhol, lichtenstein, roy lichtenstein, halftone, pop art style, keith haring, 波普, 波普艺术, 波普风格, 安迪沃霍尔, 波普风',
  chalk:
    'chalk, chalk on a chalkboard, chalkboard art, chalkboard drawing, chalkboard style, chalk drawing, chalk art, blackboard drawing, 粉笔, 粉笔画, 黑板画, 粉笔风格',
  'paper-cut':
    'paper cut, papercut, paper-cut, paper cutout, cut paper, paper craft, papercraft, origami, origami style, paper art, layered paper, paper collage, collage, paper cut-out, quilling, kirigami, paper cutting, cut-out, 剪纸, 剪纸风格, 折纸, 纸艺, 纸雕, 拼贴, 拼贴画, 纸雕风格, 折纸风格, 剪纸风, 剪纸艺术',
  cubist:
    'cubist, cubism, cubistic, abstract cubism, analytic cubism, synthetic cubism, cubist style, picasso, pablo picasso, braque, 立体主义, 立体派, 毕加索',
  crayon:
    "crayon, crayons, wax crayon, crayon drawing, crayon art, crayon style, oil pastel, child drawing, children drawing, child's drawing, childs drawing, children's drawing, childrens drawing, kid's drawing, kids drawing, kids' drawing, kid drawing, toddler's drawing, kindergarten drawing, child's crayon drawing, child's painting, childlike drawing, childish drawing, 蜡笔, 蜡笔画, 蜡笔风格, 儿童画, 油画棒",
  'line-art':
    'line art, lineart, line drawing, line-art, doodle, doodles, doodle style, coloring book, colouring book, coloring page, colouring page, coloring book page, colouring book page, coloring book style, coloring sheet, outline drawing, simple outline, black outlines, one line drawing, continuous line drawing, tattoo design, tattoo art, tattoo style, tattoo flash, 线稿, 简笔画, 线描, 涂色书, 填色书, 涂鸦画',
  'ukiyo-e':
    'ukiyo-e, ukiyo e, ukiyoe, ukiyo-e style, ukiyo-e print, hokusai, katsushika hokusai, hiroshige, japanese woodblock print, japanese woodblock, japanese print, japanese woodcut, edo print, 浮世绘, 浮世绘风格, 葛饰北斋',
  pointillism:
    'pointillism, pointillist, pointillist painting, pointillistic, pointillism style, seurat, georges seurat, signac, divisionism, stippled painting, 点彩, 点彩派, 点彩画',
  synthwave:
    'synthwave, vaporwave, outrun, retrowave, synthwave style, vaporwave style, vaporwave aesthetic, synthwave art, cyberpunk, cyberpunk style, cyberpunk 2077, cyberpunk art, 赛博朋克, 赛博朋克风格, 赛博朋克风, 蒸汽波, 合成波',
  fresco:
    'fresco, frescoes, fresco painting, fresco style, renaissance fresco, ceiling fresco, wall fresco, roman fresco, 湿壁画, 壁画风格',
  tapestry: 'tapestry style, woven tapestry, medieval tapestry, tapestry art, tapestry weaving, gobelin, 挂毯风格, 织锦',
  'cross-stitch': 'cross-stitch, cross stitch, cross-stitched, embroidery, embroidered picture, needlepoint, needlework, 十字绣, 刺绣',
  blueprint: 'blueprint, blueprint style, technical blueprint, cyanotype, 蓝图',
  papyrus:
    'egyptian tomb painting, tomb painting, tomb paintings, egyptian hieroglyphics, egyptian hieroglyphic, egyptian art, egyptian painting, egyptian mural, egyptian papyrus, papyrus, papyrus painting, hieroglyphic, cave painting, cave art, rock painting, prehistoric painting, 埃及壁画, 岩画',
  photo:
    'photo, photograph, photorealistic, photo-realistic, photography, realistic, hyperrealistic, hyper-realistic, hyper realistic, photorealism, realism, ultra realistic, ultra-realistic, dslr, real photo, professional photo, national geographic, raw photo, realistic photo, nikon, canon, 35mm, 50mm, 85mm, iso, f/1.8, f/2.8, f/1.4, product photo, product photography, food photography, wildlife photography, street photography, landscape photography, portrait photography, photo realistic, realistic style, realistic photo style, hyperrealism, lifelike, studio photo, snapshot, 照片, 摄影, 写实, 逼真, 真实, 照片级, 超写实, 摄影作品, 真实感, 超逼真, 实拍, 单反, 写实风格, 纪实摄影, 照片质感',
}

/** Requested styles that the engine cannot draw, such as photographs. */
export const undrawnStyles: StyleKind[] = ['photo']

export const moodWords: Record<string, string> = {
  dark: 'dark, gloomy, moody, ominous, shadowy, sombre, somber, dim, dimly lit, grim, dark lighting, low key, low-key, brooding, gothic, sinister, bleak, 黑暗, 阴暗, 昏暗, 暗黑, 阴郁, 幽暗, 哥特, 昏暗的灯光, 暗调, 忧郁',
  bright:
    'bright, cheerful, light-filled, luminous, airy, brightly lit, bright light, joyful, radiant, sunny mood, high key, well-lit, upbeat, uplifting, 明亮, 欢快, 开朗, 光明, 亮, 欢乐, 愉快, 阳光般, 明快, 光线明亮, 喜悦',
  dreamy:
    'dreamy, dreamlike, ethereal, surreal, soft focus, hazy dream, whimsical, serene, peaceful, tranquil, calm, quiet, romantic, poetic, idyllic, soft light, soft lighting, soft, delicate, gentle, relaxing, calming, dreamscape, surrealism, surrealist, dali, 梦幻, 梦境, 唯美, 如梦似幻, 宁静, 浪漫, 诗意, 超现实, 安静, 柔和, 静谧, 平静, 祥和, 意境, 朦胧, 柔光, 梦幻般, 恬静, 幽静, 治愈, 超现实主义',
  warm: 'warm, warm light, warm lighting, warm colors, warm colours, cozy light, cosy, cozy, warm tones, candlelight, candlelit, candle light, firelight, lamplight, warm glow, homely, heartwarming, warm atmosphere, 温暖, 暖色, 暖色调, 温馨, 烛光, 暖光, 灯光温暖, 火光, 舒适, 温柔, 暖调, 暖洋洋',
  cold: 'cold, cool tones, chilly, cold colors, cold light, cool colors, cool colours, cold tones, freezing, wintery, 寒冷, 冷色, 冷色调, 冰冷, 冷, 冷调, 清冷, 冷光',
  vivid:
    '彩色, 多彩, vivid, vibrant, colorful, colourful, saturated, bold colors, bold colours, vibrant colors, vibrant colours, multicolored, multicoloured, multi-colored, vivid colors, vivid colours, bright colors, bright colours, psychedelic, rich colors, rich colours, kaleidoscopic, 鲜艳, 色彩鲜艳, 五彩缤纷, 绚丽, 五彩, 五颜六色, 色彩斑斓, 缤纷, 绚烂, 色彩丰富, 斑斓, 浓烈, 鲜亮',
  muted:
    'muted, subdued, faded, desaturated, muted colors, muted colours, washed out, earthy tones, earth tones, muted tones, neutral tones, understated, neutral colors, bland, 低饱和, 素雅, 淡色, 莫兰迪, 低饱和度, 褪色, 莫兰迪色, 大地色',
  magical:
    'magical, magic, enchanted, fantasy, fairy tale, fairytale, mystical, glowing, mythical, mysterious, sparkling, sparkles, fireflies, bioluminescent, otherworldly, wondrous, fantastical, luminescent, glow, shimmering, glittering, glowing light, 魔幻, 神秘, 魔法, 奇幻, 仙境, 童话, 发光, 萤火虫, 闪闪发光, 闪烁, 奇妙, 玄幻, 神奇, 荧光, 仙气, 发着光',
  spooky:
    'spooky, scary, creepy, haunted, eerie, horror, halloween, frightening, terrifying, sinister atmosphere, nightmarish, macabre, 恐怖, 诡异, 阴森, 万圣节, 可怕, 惊悚, 鬼怪, 诡秘',
  festive:
    'festive, celebration, party, christmas, celebratory, new year, holiday, lunar new year, chinese new year, birthday party, festival, carnival mood, xmas, 节日, 喜庆, 庆祝, 派对, 圣诞, 圣诞节, 春节, 新年, 过年, 热闹, 元宵节, 中秋节, 节日气氛, 喜气洋洋',
}

export const cameraRows: { words: string; camera: Partial<Camera> }[] = [
  {
    camera: { side: 'back' },
    words:
      'from behind, seen from behind, viewed from behind, view from behind, back view, rear view, from the back, seen from the back, the back of a, the back of an, the back of the, back of a, back of an, with his back to us, with her back to us, with their backs to us, with his back to the camera, with her back to the camera, 背影, 背面, 从背后',
  },
  {
    camera: { framing: 'close-up' },
    words:
      'close-up, close up, closeup, macro, extreme close-up, extreme close up, macro shot, headshot, head shot, macro photo, macro photography, close view, close-up shot, close-up view, selfie, 自拍, face focus, tight shot, 特写, 近景, 微距, 大头照, 近距离, 面部特写, 特写镜头',
  },
  {
    camera: { framing: 'medium' },
    words:
      'portrait, medium shot, half body, half-body, upper body, bust shot, waist up, mid shot, waist-up, cowboy shot, medium close-up, 中景, 半身, 肖像, 半身像, 人像, 肖像画, 头像, 半身照',
  },
  {
    camera: { framing: 'full' },
    words: 'full body, full-body, full shot, full length, full-length, full figure, full body shot, 全身, 全身照, 全身像',
  },
  {
    camera: { framing: 'wide' },
    words:
      'wide shot, wide angle, wide-angle, long shot, establishing shot, wide view, extreme wide shot, wide angle shot, landscape photo, vast landscape, vista, wide-angle lens, distant view, 远景, 广角, 大场景, 全景镜头, 广角镜头, 大远景, 宏大场景',
  },
  {
    camera: { framing: 'panorama' },
    words: 'panorama, panoramic, panoramic view, 360 view, sweeping view, sweeping panorama, panoramic shot, 全景, 全景图, 全景照片',
  },
  {
    camera: { angle: 'low' },
    words:
      "low angle, low-angle, worm's eye view, worm's-eye view, from below, low angle shot, looking up at, low angle view, 仰视, 低角度, 仰拍, 仰视角度",
  },
  {
    camera: { angle: 'high' },
    words:
      'high angle, high-angle, from above, high angle shot, seen from above, overlooking, high vantage point, 俯视, 俯拍, 高角度, 俯瞰, 从上往下看',
  },
  {
    camera: { angle: 'top' },
    words:
      'top view, top-down, top down, overhead view, overhead shot, flat lay, flatlay, flat-lay, top-down view, overhead, bird-eye top, 顶视, 顶视图, 俯视图, 正上方, 平铺',
  },
  {
    camera: { angle: 'aerial', framing: 'wide' },
    words:
      "aerial, aerial view, bird's eye view, bird's-eye view, birds eye view, drone view, drone shot, aerial shot, from the air, bird's eye, drone photo, aerial photo, satellite view, isometric, isometric view, 鸟瞰, 航拍, 空中俯瞰, 鸟瞰图, 无人机视角, 高空俯瞰, 等距, 等轴",
  },
  {
    camera: { angle: 'eye' },
    words: 'eye level, eye-level, front view, side view, eye level shot, from the front, from the side, 平视, 正面, 侧面, 正视图, 侧视图',
  },
  {
    camera: { bokeh: true },
    words:
      'bokeh, shallow depth of field, depth of field, blurred background, blurry background, out of focus background, soft background, f1.4, f1.8, bokeh background, tilt-shift, tilt shift, blurred backdrop, 背景虚化, 浅景深, 虚化, 景深, 散景, 模糊背景, 背景模糊, 大光圈',
  },
]

/** Words that name nothing to draw and are ignored: praise, technical words for image models, and
 *  words about the picture itself. */
export const qualityWords =
  'motion blur, telephoto, telephoto lens, lens, lens flare, macro lens, spotlight, spotlights, backlit, backlight, backlighting, rim light, rim lighting, exposure, long exposure, focus, in focus, foreground blur, vignette, ambient light, ambient lighting, soft shadows, shadows, contrast, high contrast, grain, blur, blurred, crystal clear, still life, masterpiece, best quality, high quality, highest quality, ultra detailed, highly detailed, extremely detailed, very detailed, detailed, intricate, intricate details, intricate detail, 8k, 4k, 2k, 16k, hd, uhd, full hd, ultra hd, hdr, high resolution, highres, absurdres, hi-res, high-res, sharp focus, sharp, award winning, award-winning, beautiful, stunning, gorgeous, amazing, breathtaking, cute, adorable, lovely, pretty, beautifully, elegant, professional, professionally, perfect, nice, good, great, cool, awesome, aesthetic, aesthetics, solo, best, quality, trending, popular, rtx, ray tracing, unreal, rendering, render, octane, natural, beautiful lighting, perfect lighting, natural light, natural lighting, studio lighting, lighting, rule of thirds, composition, well composed, symmetrical, symmetry, balanced, balanced composition, picture, image, scene, depicting, showing, featuring, depiction, view, shot, art, work of art, style, styled, version, create, generate, draw, paint, make, design, please, show, illustrate, render of, high detail, fine details, fine detail, rich details, clean, crisp, smooth, no watermark, watermark free, wallpaper, desktop wallpaper, 8k wallpaper, official art, official artwork, pixiv, deviantart, cg, extremely, very, really, quite, so, such, highly, super, ultra, incredibly, absolutely, rather, somewhat, slightly, typical, classic, traditional, ordinary, simple, single, charming, delightful, majestic, magnificent, impressive, picturesque, scenic, spectacular, fantastic, wonderful, marvelous, dynamic, dynamic pose, dynamic angle, expressive, atmospheric, atmosphere, mood, vibe, vibes, feeling, fun, funny, humorous, lively, playful, bustling, busy, crowded, iconic, famous, various, different, assorted, real, actual, full, visible, looking at viewer, texture, textures, textured, reflections, reflection, detail, details, light, background details, foreground details, 杰作, 最佳质量, 高质量, 超高清, 高清, 精致, 细节丰富, 高细节, 超精细, 极致细节, 美丽, 漂亮, 可爱, 精美, 好看, 优美, 壮观, 美, 壮丽, 画质, 大师作品, 大师级, 画面, 图片, 图像, 场景, 作品, 风格, 一张图, 画一张, 画一幅, 画一个, 画一只, 生成, 请, 请画, 帮我画, 我想要, 细腻, 高分辨率, 构图, 光影, 氛围, 色彩, 光线, 效果, 质感, 细节, 清晰, 完美, 专业, 最高质量, 超清, 高品质, 构图完美, 氛围感, 意境优美, 一张, 一幅, 这张, 这幅, 真正的, 非常, 很, 十分, 特别, 超级, 极其, 有点, 比较, 萌, 呆萌, 萌萌, 帅气, 美味, 好吃, 新鲜, 诱人, 生动, 活泼, 灵动, 雄伟, 宏伟, 迷人, 优雅, 经典, 传统, 普通, 著名, 繁华, 简单, 真实光影, 景色, 风景, 景象, 风光, 视角, 镜头, 创作, 绘制, 描绘, 展示, 展现, 呈现, 主题, 整体, 大气, 光'
