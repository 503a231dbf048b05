/** Things that people stand at, jump on, look through or play with. */
export const gatheringRows = `
drawn:podium | podium | furniture | 1.25 | 0.7 | ground | lectern, pulpit, rostrum | 讲台 演讲台 |
drawn:trampoline | trampoline | sport | 0.8 | 2.4 | ground | | 蹦床 |
drawn:binoculars | binoculars | tool | 0.18 | 0.9 | surface | binocular, field glasses, spyglass | 望远镜 双筒望远镜 |
drawn:chess-table | chess table | furniture | 0.82 | 1.7 | ground | | 棋桌 |
drawn:open-hand | hand palm | body | 0.2 | 0.7 | ground | handpalm, palm of a hand, open hand, human hand | 手掌 |
drawn:wicket | wicket | sport | 0.75 | 0.42 | ground | cricket stumps, stumps | 三柱门 |
drawn:bagpipes | bagpipes | instrument | 0.7 | 0.9 | surface | bagpipe | 风笛 |
drawn:hose | hose | tool | 0.35 | 2 | ground | fire hose, garden hose, water hose | 水管 消防水带 |
drawn:puppet | puppet | toy | 0.35 | 0.9 | surface | hand puppet, sock puppet, glove puppet, marionette | 木偶 手偶 |
`
