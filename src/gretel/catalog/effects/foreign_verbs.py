"""Verbs that change something, in German, French, Spanish, Italian, Portuguese and Dutch: lists.

Without accents, as `skeleton` leaves them, and with `ae oe ue` too. What is an English word as well
(`modifier`, `registrar`), or a noun or participle as often (`erstellt`, `compra`), is left out of
names; the third persons among these count at the head of a sentence alone.
"""

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
    """
)
"""At the head of a sentence."""
