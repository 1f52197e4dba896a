"""What is done, by the grammar of other languages: passives, orders, verbs where they stand.

As in English (`unread.py`) what reads has few verbs, so any other one counts where the form of a
word shows a verb: the Russian infinitive at the head of a title, the Japanese one at the end of a
sentence, "wird … gelöscht", "sera supprimé". Texts are read with their accents.
"""

import re
import unicodedata

_END = r"(?= {0,4}(?:$|[.!?,;:\n。、]))"
_HEAD = r"(?:^|[.!?\n:] {0,4})"


def _no(stems: str) -> str:
    """A look that no word of reading begins here."""
    return rf"(?!{'|'.join(stems.split())})"


_GERMAN = _no(
    "abgefragt abgerufen angegeben angenommen angezeigt aufgelistet aufgerufen ausgegeben"
    " ausgelesen ausgewertet ausgewählt benannt benutzt benötigt berechnet bereit berücksichtigt"
    " beschrieben beschränkt bestimmt betrachtet bezeichnet dargestellt definiert durchsucht"
    " eingelesen eingeschränkt empfohlen enthalten erfasst erhalten erkannt ermittelt erwartet"
    " erzielt filtriert formatiert gebraucht gefiltert gefunden gegeben gehalten geholt"
    " gekennzeichnet geladen gelesen geliefert gemeint gemessen genannt genutzt geordnet geprüft"
    " gerundet geschätzt gesehen gespielt gespeist gesprochen gesucht gewählt gezählt gezeigt"
    " gruppiert ignoriert interpretiert kodiert konvertiert mitgeliefert sortiert übergeben"
    " übersetzt unterstützt validiert veraltet verglichen verlangt vermessen verstanden verwendet"
    " vorausgesetzt wiedergegeben zugeordnet zurückgegeben zurückgeliefert"
)
_GERMANIC = (
    rf"\b(?:wird|werden)\s+(?:[\w-]+\s+){{0,6}}?(?P<de>{_GERMAN}"
    r"(?:\w{0,9}ge\w{3,}(?:t|en)|\w{2,}iert|(?:be|ent|er|miss|über|ver|zer)\w{3,}(?:t|en)))"
    rf"(?:{_END}|\s+und\b)"
    r"|\b(?:wordt|worden)\s+(?:[\w-]+\s+){0,6}?(?P<nl>"
    + _no(
        "gebruikt gegeven gefilterd gelezen genoemd geretourneerd gesorteerd getoond gevonden"
        " gevraagd begrensd bepaald berekend beperkt bereikt beschreven bijgewerkt ondersteund"
        " opgegeven opgehaald opgevraagd teruggegeven uitgevoerd vereist verkregen verwacht"
        " vermeld weergegeven"
    )
    + r"(?:\w{0,6}ge\w{3,}(?:d|t|en)|(?:be|her|ont|ver)\w{3,}(?:d|t|en)))"
    rf"(?:{_END}|\s+en\b)"
    r"|\b(?:tas|kommer\s+att|blir|bliver|vil\s+blive)\s+(?:\w+\s+)?(?P<sv>"
    r"(?:bort|raderat|slettet|avslutat|spärrat|makulerat|avbokat|annulleret|skickat)\w*)"
)
_RUSSIAN_READ = _no(
    "анализ быть верн взять возвр вывест выводит выбир выбра вычисл выда давать дать диагност"
    " загру запраш запрос знать извле иметь иска искать использ конверт мочь найти находит обознач"
    " определ опис отобр отфильтр отсорт оцен перечисл перевод подсч показ позвол получ помог"
    " посмотр посчит поддерж предостав предсказ представл преобраз пример провер прогноз просм"
    " прочит рассч расчит распозн скач следует смотр содерж сопостав соответ сортир список сравн"
    " визит депозит кредит лимит транзит считать требу узна указ уметь фильтр формат чит являет"
)
_SLAVIC = (
    rf"{_HEAD}(?P<ru>{_RUSSIAN_READ}[а-яё]{{2,}}(?:[аеиоуыя]ть|чь|сти)(?:ся)?)\s+[а-яё\d«]"
    rf"|{_HEAD}(?P<ru3>{_RUSSIAN_READ}[а-яё]{{2,}}(?:[аеуюя]ет|ляет|ит)(?:ся)?)\s+[а-яё«]{{3,}}(?:а|у|ю|ы|и|я|е|о|ь|ие)\b"
    rf"|\b(?:будет|будут)\s+(?:[а-яё]+\s+)?(?P<ru_done>{_RUSSIAN_READ}[а-яё]{{3,}}(?:н|т)(?:а|о|ы)?)\b"
    rf"|\b(?:буде|будуть)\s+(?P<uk_done>[а-яіїєґ]{{3,}}(?:но|то|ний|на|ні|тий|та|ті))\b"
    r"|\b(?:zostanie|zostaje|zostaną|zostają)\s+(?:\w+\s+)?(?P<pl_done>"
    + _no("pobran pokazan użyt zwrócon znalezion wyświetlon obliczon")
    + r"\w{3,}(?:[nt][yaei]))\b"
    rf"|{_HEAD}(?P<pl>"
    + _no(
        "analizuje dekoduje filtruje formatuje generuje informuje interpretuje konwertuje"
        " kalkuluje lokalizuje obejmuje obsługuje opisuje pokazuje porównuje prezentuje prognozuje"
        " przeszukuje sprawdz szacuje uzyskuje wykonuje wylistowuje wyszukuje znajduje zwraca"
    )
    + r"[^\W\d_]{2,}(?:uje|ować|ywać|iwać))\s+[^\W\d_]{3,}"
    r"|\b(?:bude|budou)\s+(?:\w+\s+)?(?P<cs_done>"
    + _no("vrácen zobrazen použit nalezen vypočten")
    + r"\w{3,}(?:án|en|án[aoy]|en[aoy]|ut[aoy]?))\b"
)
_FRENCH_DONE = _no(
    "affich arrondi associ bas calcul class compos compt consacr consid constitu cod défin"
    " dépréci destin document donn écrit effectu établi évalu exprim filtr formul fourn group"
    " identifi illustr index indiqu inclus limit list mesur nomm ordonn organis précis pris propos"
    " récup regroup renseign renvoy requis retourn situ spécifi stock structur support tir tri"
    " trouv utilis valid"
)
_ROMANCE = (
    r"\b(?:est|sont|sera|seront)\s+(?:(?:alors|aussi|automatiquement|définitivement|désormais|donc"
    r"|ensuite|immédiatement|également)\s+)?(?P<fr>"
    rf"{_FRENCH_DONE}[^\W\d_]{{3,}}ée?s?)\b"
    r"|\b(?:será|serán|serão|queda|quedan|quedará|fica|ficam|ficará)\s+(?:\w+mente\s+)?(?P<es>"
    + _no(
        "mostrad devuelt usad utilizad calculad ordenad retornad obtenid devolvid exibid list"
        " filtrad necess requerid considerad"
    )
    + r"[^\W\d_]{3,}[ai]d[oa]s?)\b"
    r"|\b(?:viene|vengono|verrà|verranno|sarà|saranno)\s+(?:\w+mente\s+)?(?P<it>"
    + _no(
        "calcolat considerat filtrat fornit indicat mostrat ordinat restituit ritornat trovat"
        " usat utilizzat visualizzat elencat"
    )
    + r"[^\W\d_]{3,}(?:at|it|ut|s)[oaie])\b"
    rf"|{_HEAD}se\s+(?P<se>"
    + _no(
        "aplica basa busca calcula consult compone comport debe devuelve encuentr espera incluye"
        " listan? mostr muestr necesita obtien presenta puede recomienda recupera requiere retorna"
        " trata usa utiliza"
    )
    + r"[^\W\d_]{3,}(?:an?|en?))\s+(?:el|la|los|las|un|una|al|o|os|as|um|uma)\b"
    rf"|{_HEAD}(?P<dar>(?:dar|da|dá|dará)\s+(?:de\s+)?(?:alta|baixa|baja)|mettre\s+(?:fin|à\s+jour|en|hors)|met"
    r"\s+(?:fin|à\s+jour|en\s+(?:attente|ligne|pause|vente|veille)|hors)|prendre?\s+rendez|faire?\s+don|mettere"
    r"\s+in|mette\s+in|poner?\s+en|pone\s+en|pôr\s+em|põe\s+em)\b"
)
_TURKISH = (
    r"\b(?P<tr>"
    + _no("analiz elde hesap kontrol liste sorgu takip tahmin tercüme test teşkil söz devam kabul")
    + r"\w{3,})\s+(?:et|eder|edilir|etmek|edin|yap|yapar|yapın|yapılır)"
    + _END
    + r"|(?:ı|i|u|ü|ları|leri)\s+(?P<tr_done>"
    + _no(
        "al(?:ır)?$ ara(?:r)?$ belirt bul çek çevir döndür döner doğrula dönüştür filtrele getir"
        " göster görüntüle hesapla içer incele indir karşılaştır kullan listele oku ölç sağla say"
        " sırala sorgula tanımla ver(?:ir)?$ yansıt gör öğren seç temsil bildir"
    )
    + r"\w{2,}(?:l[ae]|[ae]r|[ıiuü]r|[ae]t|ın|in|t[ıi]r|d[ıi]r|l[ıiuü]r))"
    + _END
)
_ASIAN = (
    r"(?P<ja>(?<!取得)(?<!検索)(?<!表示)(?<!確認)(?<!計算)(?<!参照)(?<!照会)(?<!閲覧)(?<!返却)(?<!変換)(?<!検証)"
    r"(?<!比較)(?<!予測)(?<!分析)(?<!推定)(?<!抽出)(?<!提供)(?<!出力)(?<!列挙)(?<!集計)(?<!算出)(?<!判定)(?<!翻訳)"
    r"(?<!チェック)(?<!ダウンロード)(?<!リスト)(?<!ソート)(?<!テスト)(?<!プレビュー)(?<!評価)(?<!対応)(?<!サポート)"
    r"(?<!存在)(?<!利用)(?<!使用)(?<!指定)(?<!該当)(?<!説明)(?<!解析)(?<!認識)(?<!要約)(?<!選択)(?<!応答)(?<!生成)"
    r"(?<!リターン)(?<!フィルタ)(?<!フィルター)(?<!測定)(?<!診断)(?<!調査)(?<!収集)(?<!問い合わせ)(?<!関)(?<!対)"
    r"(?<=[^\s\W])(?:する|します|されます|される|しました|させます|させる))(?= {0,4}(?:$|[。\n]))"
    r"|を(?P<ja_verb>(?!見|返|調|探|知|得|求|読|示|計|数|表|教|聞|並|含|使|選|比|測|持|取り出|取得|検索|表示|確認|一覧)"
    r"[^\s、。を]{1,6}[うくすつむる]|(?!見|返|調|探|知|得|求|読|示|計|数|表|教|聞|並|含|使|選|比|測|持)"
    r"[^\s、。をし]{1,5}[いきちみりえけせてめれべ]ます)(?= {0,4}(?:$|[。\n]))"
    r"|(?P<ko>(?<!조회)(?<!검색)(?<!확인)(?<!반환)(?<!표시)(?<!계산)(?<!출력)(?<!검증)(?<!제공)(?<!다운로드)(?<!비교)"
    r"(?<!분석)(?<!예측)(?<!변환)(?<!번역)(?<!추정)(?<!추출)(?<!열람)(?<!지원)(?<!사용)(?<!포함)(?<!필요)(?<!리턴)"
    r"(?<!설명)(?<!측정)(?<!나열)(?<!이용)(?<!정렬)(?<!요약)(?<!존재)(?<=[가-힣])(?:합니다|한다|하기|됩니다|시킵니다))"
    r"(?= {0,4}(?:$|[.\n]))"
    r"|[을를]\s+(?P<ko_verb>(?!가져|보|알려|얻|읽|찾|표시|조회|확인"
    r"|검색)[가-힣]{1,6}니다)(?= {0,4}(?:$|[.\n]))"
    r"|(?:将|會|会|即)被(?P<zh>(?!返回|使用|忽略|显示"
    r"|视为|解析|过滤|排序|弃用|废弃|截断|认为)[\u4e00-\u9fff]{2})"
    r"|(?:^|[。；\n]) {0,4}[把将](?P<zh_ba>(?!来)[\u4e00-\u9fffA-Za-z ]{1,12}?(?:设为|改为"
    r"|移到|移至|移入|加入|删|取消|关|开|停|锁|清|发|送|标记|撤|退|转入|转给|上架|下架|恢复))"
)
_LATIN = re.compile("|".join((_GERMANIC, _ROMANCE)))
_OTHER = re.compile("|".join((_GERMANIC, _ROMANCE, _SLAVIC, _TURKISH, _ASIAN)))
_IS_TURKISH = re.compile("[\u0131\u011f\u015f\u00e7\u00f6\u00fc]|i\u0307")
_CUT = 20_000
"""Characters of a text that are read."""


def told_in_other_language(text: str) -> str | None:
    """The verb by which a text in another language says what a call does, whatever the verb."""
    plain = unicodedata.normalize("NFC", text[:_CUT]).lower()
    found = (_LATIN if plain.isascii() else _OTHER).search(plain)
    if not found or ((found.lastgroup or "")[:2] == "tr" and not _IS_TURKISH.search(plain)):
        return None
    return found[found.lastgroup or 0]
