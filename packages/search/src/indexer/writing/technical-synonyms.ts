/**
 * Words of this field for one thing, which the general dictionary does not have: one group a line, any of which may stand for
 * any other.
 */
const GROUPS = `
多要素認証, 二要素認証, 二段階認証, 2段階認証, 2要素認証, 2fa, mfa
k8s, kubernetes, クバネティス
i18n, 国際化, 多言語化, 多言語対応, ローカライズ, グローバリゼーション, internationalization
l10n, ローカライズ, localization
a11y, アクセシビリティ, accessibility
ssr, サーバーサイドレンダリング, サーバーレンダリング
ssg, 静的サイト生成, 静的生成
hmr, ホットモジュールリプレースメント, ホットリロード, hot module replacement
di, 依存性注入, 依存関係の注入, 依存性の注入, dependency injection
sfc, 単一ファイルコンポーネント
ipc, プロセス間通信
csrf, xsrf, クロスサイトリクエストフォージェリ, リクエストフォージェリ
xss, クロスサイトスクリプティング
ci, 継続的インテグレーション
vm, 仮想マシン, バーチャルマシン
db, データベース, database
env, 環境変数
repo, リポジトリ
pr, プルリクエスト, pull request, マージリクエスト
無名関数, 匿名関数, ラムダ式, クロージャ, lambda
連想配列, ハッシュマップ, ハッシュテーブル, ハッシュ表, 辞書型, 辞書
動的配列, 可変長配列, ベクタ
総称型, ジェネリクス, ジェネリック, generics
列挙型, 列挙体, enum
単体テスト, ユニットテスト, unit test
結合テスト, 統合テスト, インテグレーションテスト
解凍, 展開, 伸張, expand
圧縮, アーカイブ, compress
条件分岐, if文, 分岐
繰り返し, 反復, ループ, loop
for文, ループ, 反復処理
例外処理, エラー処理, エラーハンドリング
画面遷移, ページ遷移, ナビゲーション, ルーティング
遷移, 移動, ナビゲーション
排他, ロック, ミューテックス, mutex
常駐, デーモン, バックグラウンド
定期実行, スケジュール, cron
通知領域, タスクトレイ, システムトレイ, トレイ
秘密情報, 機密情報, シークレット, secret
権限, 許可, パーミッション, permission
証明, 署名
永続化, 保存, 保持
監視, モニタリング, ウォッチ
状態, ステート, state
遅延, 遅延読み込み, lazy
再利用, 共通化, 使い回し
衝突, 競合, コンフリクト, conflict
枝, ブランチ, branch
複製, クローン, コピー
入力チェック, 検証, バリデーション, validation
入力候補, 補完, サジェスト
自動更新, 自動アップデート, auto update
更新, アップデート, バージョンアップ, アップグレード, upgrade, update
変更履歴, リリースノート, 新機能, changelog
料金, 費用, コスト, 請求, 課金
設定, 構成, 環境設定, コンフィグ, config, configuration
引数, パラメーター, parameter, argument
関数, 機能, function
描画, レンダリング, レンダー, 表示, rendering
事前描画, プリレンダリング
再描画, 再レンダー, 再レンダリング
呼び出し, 実行, 起動, call
雛形, テンプレート, template
型変換, キャスト, 型キャスト
文字列連結, 文字列結合, 連結, 結合
並行, 並列, 同時, マルチスレッド
遠隔, リモート, remote
現在のディレクトリ, カレントディレクトリ, 作業ディレクトリ
ダークモード, ダークテーマ, 外観
個人情報, プライバシー, 個人データ, gdpr
ip制限, ipアドレス制限, 許可リスト, セーフリスト, ホワイトリスト
暗号化, 暗号, encrypt
sso, シングルサインオン
spa, シングルページアプリケーション
pwa, orm, オブジェクト関係マッピング
gc, ガベージコレクション, ガーベジコレクション
gui, グラフィカルユーザーインターフェイス
cli, コマンドライン, コマンドラインツール
ide, 統合開発環境
lb, 負荷分散, ロードバランサー, ロードバランシング
tls, ssl, https
jwt, jsonウェブトークン
regex, regexp, 正規表現
poc, 概念実証
toc, 目次
docs, ドキュメント, 文書
js, javascript
ts, typescript
md, markdown, マークダウン
py, python
サインイン, ログイン, login, sign in
サインアウト, ログアウト, ログオフ, logout, sign out
アクセス制御, アクセス制限, 認可
流量制限, レート制限, スロットリング, rate limit
死活監視, 正常性チェック, ヘルスチェック, health check
負荷テスト, 性能テスト, ストレステスト
回帰テスト, リグレッションテスト
モック, 模擬オブジェクト, mock
差分, diff, 変更点
巻き戻し, ロールバック, リセット, rollback
併合, 統合, マージ, merge
退避, 一時保存, スタッシュ, stash
部分適用, チェリーピック, cherry pick
作業ツリー, 作業コピー, ワークツリー, worktree
副作用, エフェクト, effect
コンテキスト, context
算出プロパティ, computed, 計算プロパティ
双方向バインディング, 双方向データバインディング, v-model
差し込み, スロット, slot
仮想スクロール, 仮想化
遅延ロード, 遅延読み込み, lazy loading, レイジーロード
コード分割, code splitting, バンドル分割
最小化, 縮小, 圧縮, minify
入れ子, ネスト
吹き出し, ツールチップ, tooltip
プルダウン, ドロップダウン, セレクトボックス, コンボボックス
ページング, ページネーション, ページ送り, pagination
絞り込み, フィルター, フィルタリング, 抽出, filter
整列, 並べ替え, ソート, sort
並び順, ソート順, 順序
一意, ユニーク, 重複排除, unique
集計, 集約, グループ化, aggregate
既定値, デフォルト値, 初期値, default
空文字, 空文字列
null, nil, ヌル, なし
真偽値, ブール, 論理値, boolean, bool
浮動小数点数, 小数, 実数, float
整数, int, integer
文字化け, エンコーディング, 文字コード, encoding
改行コード, 改行, crlf
空白除去, 空白削除, トリム, trim
四捨五入, 丸め, 端数処理, round
切り上げ, 天井関数, ceil
切り捨て, 床関数, floor
べき乗, 累乗, 冪乗, pow
乱数, ランダム, random
最大値, 最大, max
最小値, 最小, min
合計, 総和, sum
順番待ち, 待ち行列, キュー, queue
両端キュー, デック, deque
優先度付きキュー, 優先順位付きキュー, priority queue
連結リスト, リンクリスト, 双方向リスト
集合, セット, set
二分探索, 二分検索, バイナリサーチ, binary search
コンストラクタ, 生成子, constructor
デストラクタ, 後始末, 破棄, destructor
多重定義, オーバーロード, overload
上書き, オーバーライド, override
継承, 派生, inheritance
抽象クラス, 純粋仮想関数
名前空間, ネームスペース, namespace
右辺値参照, ムーブセマンティクス, ムーブ
分割代入, 構造化束縛, destructuring
可変長引数, 可変引数, 残余引数, レストパラメーター
三項演算子, 条件演算子
定数, const, constant
型推論, 型推定, auto
キャスト, 型変換
例外, エクセプション, exception
スロー, 投げる, throw
捕捉, キャッチ, catch
非同期, async, 非同期処理, asynchronous
競合状態, データ競合, レースコンディション, race condition
行き詰まり, デッドロック, deadlock
標準出力, コンソール出力, print, stdout
標準入力, キーボード入力, stdin
標準エラー出力, エラー出力, stderr
コマンドライン引数, 起動引数, 実行時引数
複写, コピー, copy
貼り付け, ペースト, paste
コピペ, クリップボード, clipboard
ドラッグアンドドロップ, ドラッグ&ドロップ, d&d, drag and drop
印刷, プリント, print
デスクトップ通知, プッシュ通知, 通知, notification
右クリックメニュー, コンテキストメニュー, context menu
全画面, フルスクリーン, fullscreen
コード署名, 署名, 電子署名
クラッシュ, 異常終了, 強制終了, crash
再起動, リスタート, リブート, restart
常時起動, 自動起動, スタートアップ
ブレークポイント, デバッグ, デバッガー
ログ出力, ロギング, ログ記録, logging
追跡, トレース, トレーシング, tracing
応答, レスポンス, 返答, response
要求, リクエスト, request
逆プロキシ, リバースプロキシ
中間処理, ミドルウェア, ミドルウエア, middleware
経路, ルート, route
主キー, プライマリキー, primary key
移行, マイグレーション, 引っ越し, migration
初期データ, シード, シーディング, seed
逐次化, 直列化, シリアル化, シリアライズ, serialize
逆シリアル化, デシリアライズ, 逆直列化, deserialize
依存関係, 依存ライブラリ, dependency
静的ファイル, アセット, 素材
構文ハイライト, シンタックスハイライト, 構文強調
別名, エイリアス, alias
拡張機能, プラグイン, アドオン, plugin
環境構築, セットアップ, インストール, 開発環境
不具合対応, トラブルシューティング, 問題解決
よくある質問, faq
用語集, 用語, 語彙, glossary
非推奨, 廃止, 廃止予定, deprecated
互換性のない変更, 破壊的変更, breaking changes
一時ファイル, テンポラリ, temp
フォルダー, ディレクトリ, directory
ヒアドキュメント, ヒア文字列, 複数行文字列
遠隔操作, リモート処理, リモート
対話モード, 対話型, インタラクティブ
`

/** Plain verbs and nouns of readers, with the terms of pages: the first word of a line and its possible meanings. */
const PLAIN_WORDS = `
消す, 削除, 消去, 除去, 取り除く, remove, delete
直す, 修正, 修復, 訂正, fix
止める, 停止, 中断, 中止, stop
動かす, 実行, 起動, 稼働
始める, 開始, 起動, start
作る, 作成, 生成, 構築, create
自作, 作成, 開発
増やす, 追加, 拡張, add
足す, 追加, 加える
加える, 追加
入れる, 追加, 挿入, 導入, インストール, 格納
導入, インストール, セットアップ, 追加
分ける, 分割, 分離, split
繋ぐ, 接続, 連結
調べる, 調査, 確認, 取得, 検索
知る, 取得, 確認
確かめる, 確認, 検証
探す, 検索, find
見つける, 検索, 検出
見る, 表示, 閲覧, 確認
見せる, 表示
出す, 出力, 表示, 発行
変える, 変更, 切り替える
変わる, 変更, 変化
切り替える, 切替, 変更
書き換える, 変更, 置換, 編集, 更新
置き換える, 置換, replace
戻す, 復元, 取り消す, 復帰, リセット, restore
戻る, 復元, 移動
取り消す, 元に戻す, キャンセル, undo
やり直す, 取り消す
送る, 送信, 転送, send
受け取る, 受信, 取得, receive
渡す, 受け渡し, 引き渡す
読み込む, ロード, 読み取る, load
読む, 読み取る, 読み込む, read
書く, 書き込む, 記述, write
覚える, 保存, 記憶, 記録
残す, 保存, 保持
しまう, 保存, 退避
隠す, 非表示, 退避
防ぐ, 防止, 回避, 対策
避ける, 回避
締め出す, ロックアウト, ブロック, 拒否
断る, 拒否
許す, 許可
待つ, 待機, wait
遅い, パフォーマンス, 低速, 性能
重い, パフォーマンス, 低速, 性能
速い, 高速, パフォーマンス
速度, パフォーマンス, 性能
減らす, 削減, 軽減, 最適化
小さい, 縮小, 軽量, 削減
大きい, 拡大
壊れる, 破損, 失敗, エラー
失敗, エラー
使い回す, 再利用
繰り返す, 反復, ループ
並べる, ソート, 並べ替え, 整列
数える, カウント, 個数
比べる, 比較, 違い
違い, 比較, 差異
選ぶ, 選択, 比較
守る, 保護, セキュリティ
配る, 配布, 配信
公開, デプロイ, 配布, パブリッシュ
名前, 名称, ネーミング
名付ける, 命名
束ねる, バンドル
測る, 計測, 測定
試す, テスト, 検証
貼る, 貼り付け
押す, クリック
打つ, 入力
開く, オープン, open
閉じる, クローズ, close
登録, 追加, 作成
毎回, 自動
教える, 通知
知らせる, 通知
引き落とし, 支払い, 決済
退職, 離職
パソコン, コンピューター, pc, マシン
メーカー, 製造元
型番, モデル
離れる, 離脱, ナビゲーション
途中, 作業中
一時的, 一時
`

/** English words of documentation and their usual Japanese ones, an English word first. */
const ENGLISH_WORDS = `
abort 中止 中断
accept 受け入れる 許可
access アクセス
add 追加
allow 許可
application アプリ アプリケーション
argument 引数
array 配列
asset アセット
asynchronous 非同期
attribute 属性
authentication 認証
authenticate 認証
authorization 承認 認可
authorize 承認 認可
automatic 自動
automatically 自動
background バックグラウンド
backup バックアップ
behavior 動作 挙動
binary バイナリ
bind バインド
block ブロック
boolean 真偽値 ブール
browser ブラウザー
bug バグ
build ビルド 構築
cache キャッシュ
caching キャッシュ
call 呼び出す 呼び出し
cancel キャンセル 取り消す
certificate 証明書
change 変更
check 確認 検査
child 子
class クラス
clean クリーン 掃除
client クライアント
clone クローン 複製
closure クロージャ
collection コレクション
command コマンド
comment コメント
commit コミット
compare 比較
compile コンパイル
component コンポーネント
compression 圧縮
computed 算出
concurrency 並行 並行性
conditional 条件付き 条件
configuration 構成 設定
configure 構成 設定
conflict 競合 コンフリクト
connection 接続
container コンテナ
conversion 変換
convert 変換
cookie クッキー
copy コピー 複製
credential 認証情報 資格情報
custom カスタム 独自
cycle 循環
database データベース
debug デバッグ
declaration 宣言
declare 宣言
decode デコード
default 既定 デフォルト
delete 削除
dependency 依存関係 依存
deploy デプロイ 配置
deployment デプロイ 配置
destructor デストラクタ
directive ディレクティブ
disable 無効 無効化
display 表示
document 文書 ドキュメント
download ダウンロード
duplicate 重複
dynamic 動的
edit 編集
element 要素
empty 空
enable 有効 有効化
encoding エンコード 符号化
encryption 暗号化
environment 環境
error エラー
event イベント
example 例
exception 例外
execute 実行
execution 実行
exit 終了
export エクスポート
expression 式
extension 拡張 拡張機能
failure 失敗
feature 機能
file ファイル
filter フィルター
folder フォルダー
form フォーム
format 書式 フォーマット
function 関数
global グローバル
group グループ
handle 処理 扱う
handling 処理 ハンドリング
handler ハンドラー
hash ハッシュ
header ヘッダー
health 正常性
hide 隠す 非表示
history 履歴 歴史
host ホスト
ignore 無視
image 画像 イメージ
immutable 不変
implement 実装
implementation 実装
implicit 暗黙 暗黙的
import インポート
inheritance 継承
initialize 初期化
input 入力
insert 挿入
install インストール
instance インスタンス
interface インターフェイス
iterator イテレータ
key キー 鍵
keyboard キーボード
label ラベル
language 言語
layer レイヤー 層
layout レイアウト
library ライブラリ
lifecycle ライフサイクル
lifetime ライフタイム 寿命
link リンク
list リスト 一覧
load 読み込む ロード
local ローカル
lock ロック
log ログ
login ログイン
logging ログ ログ記録
loop ループ 繰り返し
manage 管理
management 管理
memory メモリ
merge マージ
message メッセージ
method メソッド
middleware ミドルウェア
migration 移行 マイグレーション
migrate 移行
module モジュール
move 移動 ムーブ
multiple 複数
mutable 可変
name 名前
navigation ナビゲーション
nested ネスト
network ネットワーク
notification 通知
number 数値 数
object オブジェクト
operator 演算子
optimization 最適化
optimize 最適化
option オプション
output 出力
overload オーバーロード
override 上書き オーバーライド
ownership 所有権
package パッケージ
page ページ
parallel 並列
parameter パラメーター 引数
parent 親
parse 解析 パース
pass 渡す 受け渡し
password パスワード
path パス
pattern パターン
performance パフォーマンス 性能
permission 権限 アクセス許可
persist 永続化 保存
pipeline パイプライン
plugin プラグイン
pointer ポインタ
policy ポリシー
port ポート
practice プラクティス
print 表示 出力
process プロセス 処理
production 本番
profile プロファイル
project プロジェクト
propagation 伝播 伝搬
property プロパティ
protect 保護
protection 保護
protocol プロトコル
proxy プロキシ
publish 公開 発行
query クエリ
queue キュー
random 乱数 ランダム
read 読み取る 読み込む
recover 復元 回復
recursion 再帰
redirect リダイレクト
reference 参照
refresh 更新
register 登録
release リリース
remote リモート
remove 削除 取り除く
rename 名前変更 改名
render レンダリング 描画
rendering レンダリング 描画
replace 置換 置き換える
repository リポジトリ
request 要求 リクエスト
required 必須 必要
reset リセット
resource リソース
response 応答 レスポンス
restart 再起動
restore 復元
result 結果
return 返す 戻り値
reuse 再利用
revert 元に戻す 取り消す
rewrite 書き換え 書き換える
role ロール 役割
route ルート
routing ルーティング
run 実行
runtime ランタイム 実行時
schedule スケジュール
scope スコープ
script スクリプト
search 検索
secret シークレット 機密
security セキュリティ
select 選択
send 送信
serialize シリアル化 直列化
server サーバー
session セッション
set 設定
setting 設定
share 共有
shared 共有
shortcut ショートカット
show 表示
shutdown 停止 シャットダウン
side サイド 側
sign 署名
signature 署名
size サイズ
slice スライス
slot スロット
sort 並べ替え ソート
source ソース
split 分割
stage ステージ 段階
standard 標準
start 開始 起動
startup 起動
state 状態
statement 文
static 静的
stop 停止
storage ストレージ
store 保存 格納
stream ストリーム
string 文字列
structure 構造
style スタイル
submit 送信
switch 切り替え
sync 同期
synchronization 同期
syntax 構文
system システム
table 表 テーブル
tag タグ
template テンプレート
terminal ターミナル 端末
test テスト
text テキスト 文字
thread スレッド
time 時間 時刻
token トークン
tool ツール
transition 遷移 トランジション
translation 翻訳
tray トレイ
troubleshooting トラブルシューティング
type 型
undefined 未定義
undo 取り消す やり直し
uninstall アンインストール
unit 単体
update 更新
upgrade アップグレード 更新
upload アップロード
usage 使い方 使用法
user ユーザー
validate 検証
validation 検証
value 値
variable 変数
verify 検証 確認
version バージョン
view ビュー 表示
virtual 仮想
volume ボリューム
wait 待機 待つ
warning 警告
watch 監視
widget ウィジェット
window ウィンドウ
worker ワーカー
write 書き込む 書く
`

const read = (lines: string, separator: string): readonly (readonly string[])[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => line.split(separator))

/** Groups of words that mean the same. */
export const TECHNICAL_SYNONYMS = read(GROUPS, ', ')

/** A word and those it may be found under, also the other way round. */
export const WORDS_AND_MEANINGS = [...read(PLAIN_WORDS, ', '), ...read(ENGLISH_WORDS, ' ')]
