"""Verbs that change something in names and paths of other scripts: `ユーザー削除`, `/用户/删除`.

A name has no sentences, and many scripts have no capitals that show its words. So a verb counts as
a word of its own, or where what it is done to stands beside it, and never where a word of reading
begins the name, or one behind it makes a thing of it (`删除记录`: "records of deletion").
"""

import re
import unicodedata
from urllib.parse import unquote

from gretel.catalog.effects.paths import DECODED
from gretel.text.identifiers import split_identifier

_NAMED = re.compile(
    # Chinese: before what it is done to, or behind it
    r"(?P<chinese>(?:请|批量|强制|立即)?(?:删除|刪除|移除|清空|发送|發送|添加|新增|创建|修改|取消|关闭|启动|停止"
    r"|重启|禁用|启用|注销|撤销|重置|锁定|解锁)(?!的|记录|列表|状态|时间|历史|日志|通知|原因)\w*"
    r"|(?!获取|查询|查看|列出|已|未|待|被|最近)\w+(?:删除|刪除|移除|清空|注销|撤销|禁用|重置|锁定|解锁))"
    # Japanese and Korean: at the end
    r"|(?P<japanese>(?!取得|検索|一覧|最近)\w*(?:削除|送信|追加|作成|変更|キャンセル|購入|停止|起動|解除)(?:する)?)"
    r"|(?P<korean>(?!조회|검색|최근)\w*(?:삭제|전송|추가|생성|변경|취소|구매|중지)(?:하기)?)"
    # Russian, Ukrainian, Bulgarian, Greek
    r"|(?P<cyrillic>удалени[ея]|(?:удал|отправ|созда|измен|добав|отмен|заблокир|разблокир|останов|запуст|оплат"
    r"|перезагруз|видал|надісл|створ|змін|дода|скасу|изтри)"
    r"(?:[аеиоуюя]?ва)?(?:[аеиоя]?т[ьи]|[аеуюя]?ет|яє|ит|[ийьй]))"
    r"|(?P<greek>διαγρ[αά][φψ]\w*)"
    # Arabic, Hebrew, Thai, Hindi: at the head
    r"|(?P<other>(?:حذف|يحذف|إلغاء|يلغي|إرسال|ลบ|ยกเลิก|מחק|מחיקת|हटाएं|मिटाएं)\w*)"
)


def verb_in_foreign_name(name: str) -> str | None:
    """The verb of a name or of a path, percent-encoded or not, in a script that is not Latin."""
    for _ in range(DECODED):
        name = unquote(name)
    if name.isascii():
        return None
    words = split_identifier(unicodedata.normalize("NFKC", name))
    return next((word for word in words if _NAMED.fullmatch(word)), None)
