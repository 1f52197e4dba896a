"""Verbs that change something, in other languages and other scripts: lists alone.

Without accents, as `skeleton` leaves them, and with `ae oe ue` too. What is an English word as well
(`modifier`, `registrar`), or a noun or participle as often (`erstellt`, `compra`), is left out of
names; the third persons among these count at the head of a sentence alone.
"""

import re

from gretel.text.words import word_set

FOREIGN_VERBS = word_set(
    """
    abbrechen ablehnen abmelden aendern aktivieren aktualisieren anlegen andern ausschalten beenden
    bestellen bezahlen deaktivieren einschalten entfernen ersetzen erstellen freigeben hinzufuegen
    hinzufugen hochladen kuendigen kundigen loesche loeschen losche loschen neustarten senden
    speichern sperren stornieren ueberweisen umbenennen uberweisen verschicken versenden
    zuruecksetzen zurucksetzen

    acheter activer ajouter annuler bloquer creer debloquer desactiver effacer enregistrer envoyer
    remplacer renommer resilier supprimer

    activar actualizar agregar anadir anular bloquear borrar cancelar comprar crear desactivar
    detener editar eliminar enviar guardar insertar modificar pagar reiniciar reservar restablecer
    transferir

    acquistare aggiorna aggiornare aggiungere aggiungi annulla annullare bloccare cancella
    cancellare creare disattiva disattivare elimina eliminare inserire inserisci invia inviare
    modificare pagare prenotare rimuovere rimuovi salvare spedire trasferire

    adicionar alterar apagar atualizar cadastrar criar deletar desativar excluir inserir salvar

    aanmaken annuleren betalen bijwerken blokkeren opslaan opzeggen overmaken toevoegen verstuur
    versturen verwijder verwijderen wijzig wijzigen

    anuluj anulowac dodaj dodac edytuj skasuj skasowac usun usunac utworz utworzyc wyslac wyslij
    zablokuj zablokowac zaktualizuj zamow zaplac zmien zmienic

    avbryt radera skapa skicka tabort uppdatera
    opdater opret slet
    opprett opprette slett slette sletter
    lahetta paivita peruuta poista
    odeslat odstran odstranit poslat smaz smazat upravit vytvorit zrusit
    torles torol

    sterge stergere trimite xoa

    ekle ekler gonder gonderir guncelle guncelleyin iptal olustur olusturur satinal sil siler silin
    silme

    hapus kirim perbarui tambah ubah
    dobavit izmenit otmenit otpravit sozdat udalit
    fasong gengxin shanchu tianjia xiugai
    henko koshin sakujo soshin tsuika
    """
)
"""Infinitives, and orders that are not third persons too."""

FOREIGN_THIRDS = word_set(
    """
    aendert aktiviert aktualisiert andert bestellt bezahlt deaktiviert erstellt kuendigt kundigt
    loescht loscht sendet speichert sperrt storniert uberweist ueberweist verschickt versendet

    ajoute annule bloque cree desactive efface enregistre envoie modifie supprime

    actualiza agrega anade anula borra cancela crea desactiva envia guarda inserta modifica paga
    transfiere

    aggiunge inserisce rimuove salva

    adiciona altera apaga atualiza cadastra cria deleta desativa exclui insere

    annuleert betaalt verstuurt verwijdert wijzigt

    anuluje aktualizuje blokuje dodaje edytuje kasuje tworzy usuwa wysyla zmienia
    avbryter raderar skapar skickar uppdaterar oppretter lahettaa paivittaa poistaa
    sletter torli torolje kuldi modositja sterge trimite adauga anuleaza
    odesila odstrani posila smaze upravi vytvori menghapus mengirim mengubah
    """
)
"""At the head of a sentence."""

_OTHER_SCRIPTS = re.compile(
    # Russian, Ukrainian, Bulgarian, Greek: at the head
    r"(?:^|[.!?\n]\s*)(?P<head>(?:удал|отправ|созда[её]|создать|измен|добав|отмен|заблокир|перевод[ия]т|купить|оформ|забронир|запуст|останов|включ|выключ|перезагр"
    r"|покупает|оплат|видал|надісла|надсила|створ|змін|дода|скас|изтри|изпра|διαγρ|αποστ[εέ]λλ|δημιουργ|ακυρ[ωώ])"
    r"\w*)"
    # Chinese: at the head, where what is done to it is no "deleted" thing
    r"|(?:^|[.。!?\n])\s*(?:请|批量|立即)?(?P<chinese>删除|刪除|移除|清空|发送|發送|添加|新增|创建|建立|修改|更新|取消|支付"
    r"|购买|下单|关闭|启动|停止|重启|禁用|启用|上传|注销|提交|预订|预定|转账|订阅|撤销|重置|锁定|解锁|打开|开启)(?!的|记录|列表|状态|时间|历史|日志|通知)"
    # Japanese, Korean: at the end
    r"|(?P<japanese>削除|送信|追加|作成|変更|更新|キャンセル|購入|停止|起動|登録|解除)(?:する|します|します。|。|$)"
    r"|(?P<korean>삭제|전송|추가|생성|변경|취소|구매|중지|시작|등록|수정)(?:하기|합니다|한다|해요|$)"
    # Arabic, Hindi, Thai, Vietnamese, Hebrew: at the head or the end
    r"|(?:^|[.\n])\s*(?P<other>حذف|يحذف|إرسال|يرسل|إلغاء|يلغي|ลบ|ส่ง|ยกเลิก|xóa|xoá|gửi|hủy|מוחק|מחק|מחיקת|שולח)(?=\s|\S)"
    r"|(?P<hindi>हटाएं|हटाता|हटाए|भेजें|भेजता|मिटाएं)"
)


def verb_in_other_script(text: str) -> str | None:
    """The verb of a description in a script that is not Latin: "Удалить пользователя"."""
    found = None if text.isascii() else _OTHER_SCRIPTS.search(text.lower())
    return found[found.lastgroup or 0] if found else None
