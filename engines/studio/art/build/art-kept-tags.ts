/** The emojibase tags that name the thing in a drawing, selected by hand. All other tags are left
 *  out, because they name moods, uses, places or owners ("plumber" for a plunger, 秋天 for a moon
 *  cake) and would lead to wrong pictures. Additional words are in `art/tables`. */
export const keptTags: Record<'en' | 'zh', ReadonlySet<string>> = {
  en: listed(`almond ballpoint bead bluebonnet buttercup burro caboose calculator chime cygnet fife flatbed handgun hinny hotcake lambchop luge lupine maggot masjid
moneybag oolong parasail peahen plaque pod porkchop puck racquet revolver rook ropeway scuba snapdragon soybean stein terrapin trash turd veggie zori tramway
speculum turd tumbler talisman amulet grain tusk fowl pepperoni chickpea legume laundry`),
  zh: listed(`一条面包 一片比萨 一片蛋糕 不死鸟 丑小鸭 个人电脑 乌龙茶 便当盒 便笺 便鞋 光碟 公事包 公交 公共汽车站 公墓 云彩 休旅车 休闲车 传真 佐料瓶 佛寺 借记卡 冰刀 冰沙
刮刀 剃刀 剪子 化妆包 匙子 卡片相机 印刷机 原子笔 原驼 发票 围脖 回纹针 固定电话 固话 圆白菜 壁炉钟 墨鱼 大桶 大豆 太阳花 头巾 头戴式耳机 奖章 奖品 女式靴子 女衬衫 宝物 客船
小天鹅 小强 小白菜 小羊驼 小袋鼠 床铺 庙宇 录像机 录影带 手提电话 手提箱 手枪 手电 手纸 扑克 扣针 拨浪鼓 挎包 搋子 摄影机 救火车 文档 显示屏 曲别针 曲奇饼 木桩 木马 杏仁 柑桔
标牌 格子饼 横笛 比萨饼 毒蕈 水果派 沙冰 沙槌 沙铃 河粉 油桃 油画棒 油笔 法国蜗牛 法式长条面包 泳裤 洗发露 浴盆 海妖 海蜇 清酒杯 炮竹 炖锅 烟肉 烤地瓜 烤肉串 烤面包 煎饺 照片
熏肉 燕麦粥 爬梯 猪排 玉米卷饼 珍宝 珠子 甘蓝 生日礼物 甜品 电影票 电影胶卷 电插头 电筒 画刷 画卷 码表 矢车菊 短刀 短笛 短袜 石壶 秃鼻乌鸦 稀饭 窗框 竖笛 笔刷 紫丁香 红信封 红肉
红鹳 红龙虾 纸夹 纸巾 线球 绣花针 缎带 缝衣针 羊排 羽扇豆 羽球 羽衣甘蓝 老鼠夹 肉排 胶卷 胶布 苏打 苏打饮料 苜蓿 苞米 包谷 茶饮 莎丽 莫吉托 莴苣 蒜头 薄脆饼 蛐蛐 蛛网 蜜瓜
螺丝扳手 螺帽 螺栓 螺钉 行李牌 西班牙海鲜饭 角子机 计算器 账单 账簿 贷记卡 起司 越桔 足尖鞋 追踪球 酢浆草 酪梨 金花鼠 锄头 锁头 长袜 陵墓 雷暴 霜淇淋 香料 香瓜 马丁尼 马蹄铁
骆马 鬼牌 鱼杆 鱼钩 鱼饼 鸟蛋 鸡尾酒杯 鸡肉 鹤嘴锄 鹰嘴豆 麦克 黄豆 黄油果 鼓槌`),
}

function listed(words: string): Set<string> {
  return new Set(words.split(/\s+/))
}
