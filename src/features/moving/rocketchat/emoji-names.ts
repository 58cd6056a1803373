// Names of Unicode emoji in Rocket.Chat that have other names here.
import { namesIn } from "../source/emoji-names.ts";

const NAMES = namesIn(`
  medal=medal umbrella2=umbrella snowman2=snowman umbrella=umbrella_with_rain
  skull_crossbones=skull_and_crossbones frowning2=sad hammer_pick=at_work
  face_with_symbols_over_mouth=face_with_symbols_on_mouth hugging=hug zipper_mouth=silence
  thermometer_face=sick money_mouth=money_face hand_splayed=high_five vulcan=spock
  woman_curly_haired=woman_curly_hair man_curly_haired=man_curly_hair
  woman_red_haired=woman_red_hair man_red_haired=man_red_hair
  blond_haired_person=person_blond_hair woman_white_haired=woman_white_hair
  man_white_haired=man_white_hair man_with_chinese_cap=gua_pi_mao person_wearing_turban=turban
  police_officer=police person_with_veil=bride person_bowing=bow person_gesturing_no=no_signal
  person_gesturing_ok=ok_signal person_raising_hand=raising_hand person_facepalming=face_palm
  person_shrugging=shrug person_getting_haircut=haircut person_getting_massage=massage
  woman_getting_face_massage=woman_getting_massage man_getting_face_massage=man_getting_massage
  people_with_bunny_ears_partying=dancers levitate=levitating person_walking=walking
  person_running=running couple_ww=couple_with_heart_woman_woman
  couple_mm=couple_with_heart_man_man kiss_ww=kiss_woman_woman kiss_mm=kiss_man_man
  family_mwg=family_man_woman_girl family_mwgb=family_man_woman_girl_boy
  family_mwbb=family_man_woman_boy_boy family_mwgg=family_man_woman_girl_girl
  family_wwb=family_woman_woman_boy family_wwg=family_woman_woman_girl
  family_wwgb=family_woman_woman_girl_boy family_wwbb=family_woman_woman_boy_boy
  family_wwgg=family_woman_woman_girl_girl family_mmb=family_man_man_boy
  family_mmg=family_man_man_girl family_mmgb=family_man_man_girl_boy
  family_mmbb=family_man_man_boy_boy family_mmgg=family_man_man_girl_girl helmet_with_cross=helmet
  rhino=rhinoceros wilted_rose=wilted_flower cloud_tornado=tornado
  white_sun_small_cloud=mostly_sunny white_sun_cloud=cloudy white_sun_rain_cloud=sunshowers
  cloud_rain=rainy thunder_cloud_rain=thunderstorm cloud_lightning=lightning cloud_snow=snowy
  snowman=frosty french_bread=baguette champagne_glass=clink fork_knife_plate=hungry
  hockey=ice_hockey person_lifting_weights=lift people_wrestling=wrestling
  person_bouncing_ball=ball person_fencing=fencing person_playing_handball=handball
  person_golfing=golf person_surfing=surf person_swimming=swim
  person_playing_water_polo=water_polo person_rowing_boat=rowboat
  person_mountain_biking=mountain_biker person_biking=cyclist tickets=ticket
  person_juggling=juggling race_car=racecar airplane_small=small_airplane
  satellite_orbital=satellite motorboat=motor_boat cruise_ship=passenger_ship
  mountain_snow=snowy_mountain homes=houses house_abandoned=derelict_house
  construction_site=construction park=national_park city_sunset=city_sunrise city_dusk=sunset
  desktop=desktop_computer mouse_three_button=computer_mouse microphone2=studio_microphone
  clock=mantelpiece_clock satellite=satellite_antenna oil=oil_drum urn=funeral_urn
  squeeze_bottle=lotion_bottle bellhop=bellhop_bell key2=secret couch=living_room
  frame_photo=picture notepad_spiral=spiral_notepad calendar_spiral=spiral_calendar
  card_box=archive dividers=sort newspaper2=newspaper paperclips=office_supplies pen_ballpoint=pen
  pen_fountain=fountain_pen pause_button=pause record_button=record track_next=next_track
  track_previous=previous_track green_square=green_large_square yellow_square=yellow_large_square
  speech_left=speech_bubble anger_right=anger_bubble flag_white=white_flag flag_black=black_flag
  england=flag_england scotland=flag_scotland wales=flag_wales united_nations=flag_united_nations
`);

export const rocketEmojiName = (name: string): string | undefined => NAMES.get(name);
